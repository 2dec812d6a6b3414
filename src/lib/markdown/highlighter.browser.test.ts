import { afterAll, describe, expect, it } from 'vitest';
import { highlighter } from './highlight';
import { maxCode } from './highlighter';
import { languages } from './languages';

afterAll(() => highlighter.stop());

const frozen = { cpp: `a${'&'.repeat(997)}`, bash: `${'<'.repeat(900)}\n`.repeat(16) };

/** Text that grammars look for, and look for again when it does not end. */
const pumped = [
	...['a', '0', ' ', '\t', '&', '<', '(', '[', '{', '"', "'", '`', '\\', '/', '*', '-', '#', '$', '@', ':', '=', '.'],
	...['<a ', 'a::', 'a<', '<<', '${', '/*', '"""', '--', 'a,', '((a', 'a b ', '<<<<\n', '{\n', '- \n', '# \n', 'a:\n', '<?', '{{']
];

describe('Highlighter', () => {
	it('colours as the grammar says, and leaves unknown languages and very long code alone', async () => {
		expect((await highlighter.highlight('let a = "<b>";', 'js')).html).toContain('<span style="color:var(--code-token-keyword)">let</span>');
		expect(await highlighter.highlight('x', 'klingon')).toEqual({ html: null, late: false });
		expect(await highlighter.highlight('x'.repeat(maxCode + 1), 'js')).toEqual({ html: null, late: false });
	}, 60_000);

	it('[P8] gives up code that its grammar takes for ever for, without stopping the page, and colours what comes next', async () => {
		for (const [language, code] of Object.entries(frozen)) {
			const blocked = longestPause();
			const [hostile, next] = await Promise.all([highlighter.highlight(code, language), highlighter.highlight('let a = 1;', 'js')]);
			expect(hostile, language).toEqual({ html: null, late: true });
			expect(next.html).toContain('var(--code-token-');
			expect(await blocked(), language).toBeLessThan(2000);
		}
	}, 60_000);

	it.each(Object.keys(languages))('[P8] is done with any repetition in %s in good time', async (language) => {
		const blocked = longestPause();
		for (const piece of pumped) {
			await highlighter.highlight(`a${piece.repeat(1000 / piece.length)}`, language);
		}
		expect(await blocked()).toBeLessThan(2000);
	}, 120_000);
});

/** Begins to watch the main thread; what it returns ends that, with the longest time that the thread was not free in milliseconds. */
function longestPause(): () => Promise<number> {
	let longest = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	}, 10);
	return async () => {
		await new Promise((resolve) => setTimeout(resolve, 20));
		clearInterval(timer);
		return longest;
	};
}
