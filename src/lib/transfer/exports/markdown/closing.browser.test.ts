import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, it } from 'vitest';
import { body } from '../../../../../tests/fixtures/bodies';
import { closing } from './closing';

const oracle = new MarkdownIt({ html: true });

it('[A13] leaves nothing open that a browser would draw the next section into', () => {
	fc.assert(
		fc.property(body, (text) => {
			// Not what stillOpen does not follow, nor where markdown-it leaves CommonMark: the continuation of nested
			// quotations, and a declaration after one that has no end.
			fc.pre(!text.includes('="') && !/<script[^]*<!--/.test(text));
			fc.pre(!/>\s*>/.test(text) && !/<[!?][^]*<[!?]/.test(text));
			const page = oracle.render(`${text}${closing(text)}\n\n## The next section\n`);
			const heading = [...new DOMParser().parseFromString(page, 'text/html').querySelectorAll('h2')].at(-1);
			expect(heading?.textContent).toBe('The next section');
			expect(heading!.closest('details, script, style, textarea, pre, iframe, title, div')).toBeNull();
		}),
		{ numRuns: 1000 }
	);
}, 60_000);
