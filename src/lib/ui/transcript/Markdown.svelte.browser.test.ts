import DOMPurify from 'dompurify';
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parser } from '../../markdown/render';
import Markdown from './Markdown.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
});

function draw(text: string, streaming: boolean) {
	const props = $state({ text, streaming });
	mounted = mount(Markdown, { target: document.body, props });
	flushSync();
	return props;
}

const root = () => document.querySelector<HTMLElement>('.markdown')!;

async function until(selector: string, text: string) {
	await vi.waitFor(() => expect([...document.querySelectorAll(selector)].map((node) => node.textContent).join('|')).toContain(text), { timeout: 10_000 });
}

describe('Markdown', () => {
	it('shows the plain text until it can draw, then the drawn one', async () => {
		draw('Some *text*', false);
		expect(root().textContent).toContain('Some');
		await until('em', 'text');
	});

	it.each([
		['from here', true],
		['from another tab, whose answer may have ended', false]
	])('[P3] leaves settled blocks in the page untouched while more text arrives %s', async (_, streaming) => {
		const props = draw('# Title\n\nFirst paragraph.\n\n', streaming);
		await until('h2', 'Title');
		await until('p', 'First');
		const [heading, paragraph] = root().querySelectorAll('.run > *');
		const changes: MutationRecord[] = [];
		const observer = new MutationObserver((records) => changes.push(...records));
		observer.observe(heading!, { subtree: true, childList: true, characterData: true, attributes: true });
		observer.observe(paragraph!, { subtree: true, childList: true, characterData: true, attributes: true });

		for (const piece of ['Second ', 'paragraph', ' goes on.\n\n', '- a\n- b\n\n', 'The *end*']) {
			props.text += piece;
			await new Promise((resolve) => setTimeout(resolve, 40));
		}
		await until('em', 'end');
		props.streaming = false;
		flushSync();
		expect(root().querySelectorAll('.run > *')[0]).toBe(heading);
		expect(root().querySelectorAll('.run > *')[1]).toBe(paragraph);
		expect(root().querySelectorAll('li')).toHaveLength(2);
		observer.disconnect();
		expect(changes).toHaveLength(0);
	});

	it.each(['#', '##', '###', '####'])('begins at its top with a heading of level %s too, while it comes and then', async (level) => {
		const props = draw(`${level} Title`, true);
		const fromTop = () => root().querySelector('h2, h3, h4, h5')!.getBoundingClientRect().top - root().getBoundingClientRect().top;
		await until('h2, h3, h4, h5', 'Title');
		expect(fromTop()).toBeCloseTo(0, 1);
		props.text += '\n\nFirst paragraph.\n\nSecond.';
		await until('p', 'Second');
		expect(fromTop()).toBeCloseTo(0, 1);
		props.streaming = false;
		flushSync();
		expect(fromTop()).toBeCloseTo(0, 1);
	});

	it('appends the text of an open fence to one node, and colours it once it is closed', async () => {
		const props = draw('```ts\nconst a', true);
		await until('figure.open code', 'const a');
		const node = root().querySelector('figure.open code')!.firstChild as Text;
		props.text += ' = 1;\nconst b = "<b>";\n';
		await until('figure.open code', '<b>');
		expect(root().querySelector('figure.open code')!.firstChild).toBe(node);
		expect(node.data).toBe('const a = 1;\nconst b = "<b>";\n');

		props.text += '```\nAfter';
		await until('figure:not(.open) code span', 'const');
		expect(root().querySelector('code')!.textContent).toBe('const a = 1;\nconst b = "<b>";\n');
		expect(root().querySelector('.open')).toBeNull();
	});

	it('[P8] names what could not be seen in code, also while it grows; it is there to be copied', async () => {
		const code = 'if (level != "user\u202e \u2066// only for admins\u2069 \u2066") {}';
		const props = draw(`Run \`a\u200bb\` now:\n\n\`\`\`klingon\n${code}`, true);
		await until('figure.open code', 'admins');
		const names = () => [...document.querySelectorAll<HTMLElement>('.unseen')].map(({ title }) => title);
		expect(names()).toEqual(['U+200B', 'U+202E', 'U+2066', 'U+2069', 'U+2066']);
		expect(getComputedStyle(document.querySelector('.unseen')!, '::before').content).toBe('"U+200B"');
		props.text += '\n```\n';
		await until('figure:not(.open) code', 'admins');
		expect(names()).toEqual(['U+200B', 'U+202E', 'U+2066', 'U+2069', 'U+2066']);
		expect(root().querySelector('pre code')!.textContent).toBe(`${code}\n`);
	});

	it('[P8] piles up no marks on a character of code, also while it grows', async () => {
		const props = draw(`\`\`\`js\na${'\u0301'.repeat(20)}`, true);
		await until('figure.open code', 'a');
		const code = () => root().querySelector('pre code')!.textContent;
		for (let more = 0; more < 3; more++) {
			props.text += '\u0301'.repeat(20);
			await new Promise((resolve) => setTimeout(resolve, 40));
		}
		props.text += 'b';
		await until('figure.open code', 'b');
		expect(code()).toBe(`a${'\u0301'.repeat(30)}b`);
	});

	it('[P8] colours code whose unseen characters have names', async () => {
		draw('```js\nlet a = "\u202eb";\n```\n', false);
		await until('figure code span:not(.unseen)', 'let');
		expect([...document.querySelectorAll<HTMLElement>('.unseen')].map(({ title }) => title)).toEqual(['U+202E']);
		expect(root().querySelector('pre code')!.textContent).toBe('let a = "\u202eb";\n');
	});

	it('draws a replaced text from the start, also within fences', async () => {
		const props = draw('```js\none', true);
		await until('figure.open code', 'one');
		props.text = '```js\ntwo';
		await vi.waitFor(() => expect(root().querySelector('code')!.textContent).toBe('two'));
		props.streaming = false;
		props.text = 'other';
		flushSync();
		expect(root().textContent.trim()).toBe('other');
	});

	it('[P8] stays plain, and grows, where a bug keeps it from being parsed or drawn; the bug is reported once', async () => {
		const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined);
		const { em_open } = parser.renderer.rules;
		parser.renderer.rules.em_open = () => {
			throw new Error('a bug in a rule');
		};
		onTestFinished(() => {
			Object.assign(parser.renderer.rules, { em_open });
			report.mockRestore();
		});
		const reports = (count: number) => vi.waitFor(() => expect(report).toHaveBeenCalledTimes(count), { timeout: 10_000 });
		const props = draw('First.\n\nSome *text*', true);
		await reports(1);
		await until('.markdown > p.plain', 'Some *text*');
		props.text += ' and more';
		await until('.markdown > p.plain', 'First.\n\nSome *text* and more');
		props.streaming = false;
		flushSync();
		expect(root().textContent).toContain('and more');
		await unmount(mounted!);
		draw('Again *so*', false);
		await until('.markdown > p.plain', 'Again *so*');
		expect(report.mock.calls.map(([error]) => String(error))).toEqual(['Error: a bug in a rule']);
		await unmount(mounted!);

		Object.assign(parser.renderer.rules, { em_open });
		const sanitize = vi.spyOn(DOMPurify, 'sanitize').mockImplementation(() => {
			throw new Error('a bug in the sanitizer');
		});
		onTestFinished(() => sanitize.mockRestore());
		draw('Drawn *badly*', false);
		await reports(2);
		await until('.markdown > p.plain', 'Drawn *badly*');
	});

	it.each([true, false])('[P8] puts no more than 200 blocks of code into the page at once (streaming: %s)', async (streaming) => {
		let drawn = 0;
		let most = 0;
		const observer = new MutationObserver(() => {
			const now = document.querySelectorAll('figure.code').length;
			most = Math.max(most, now - drawn);
			drawn = now;
		});
		observer.observe(document.body, { childList: true, subtree: true });
		draw('```\n'.repeat(2000), streaming);
		await vi.waitFor(() => expect(root().querySelectorAll('figure')).toHaveLength(1000), { timeout: 30_000 });
		observer.disconnect();
		expect(most).toBeLessThanOrEqual(200);
	}, 60_000);

	it('[P8] breaks a very long word, without a change to its text', async () => {
		draw(`*${'A'.repeat(1000)}*`, false);
		await until('em', 'A'.repeat(1000));
		expect(root().querySelectorAll('em wbr')).toHaveLength(3);
		getSelection()!.selectAllChildren(root());
		expect(getSelection()!.toString().trim()).toBe('A'.repeat(1000));
	});

	it('copies a block of code and says so', async () => {
		const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
		draw('```\nlet <a>\n```', false);
		await until('button.copy', 'Copy');
		document.querySelector<HTMLButtonElement>('button.copy')!.click();
		await until('button.copy', 'Copied');
		expect(write).toHaveBeenCalledWith('let <a>\n');
		await vi.waitFor(() => expect(document.querySelector('button.copy')!.textContent).toBe('Copy'), { timeout: 3000 });
	});

	it('says when the clipboard is refused', async () => {
		vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied', 'NotAllowedError'));
		draw('```\nx\n```', false);
		await until('button.copy', 'Copy');
		document.querySelector<HTMLButtonElement>('button.copy')!.click();
		await until('button.copy', 'by hand');
	});

	it('keeps the cost of a long answer even from first to last', async () => {
		const section =
			'## A heading\n\nA paragraph with *emphasis*, `code` and a [link](https://example.org/page), long enough to wrap.\n\n' +
			'- first point\n- second point\n  - nested\n\n```js\nfunction add(a, b) {\n  return a + b;\n}\n```\n\n' +
			'| name | value |\n|---|---:|\n| one | 1 |\n\n';
		const answer = '# Start\n\n' + section.repeat(Math.ceil(32_000 / section.length)).slice(0, 32_000);
		const props = draw('# Start\n\n', true);
		await until('h2', 'Start');
		const costs: number[] = [];
		const requestFrame = window.requestAnimationFrame.bind(window);
		const frames = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) =>
			requestFrame((time) => {
				const start = performance.now();
				callback(time);
				costs.push(performance.now() - start);
			})
		);
		const step = 200;
		for (let at = 9; at < answer.length; at += step) {
			const drawn = costs.length;
			props.text = answer.slice(0, at + step);
			flushSync();
			await vi.waitFor(() => expect(costs.length).toBeGreaterThan(drawn), { interval: 4, timeout: 5000 });
		}
		frames.mockRestore();
		props.streaming = false;
		flushSync();
		const quarter = Math.floor(costs.length / 4);
		const first = median(costs.slice(0, quarter));
		const last = median(costs.slice(-quarter));
		expect(last).toBeLessThan(2 * first);
		console.info(`ms to draw ${step} characters: first quarter ${first.toFixed(2)}, last ${last.toFixed(2)}`);
		expect(root().querySelectorAll('table').length).toBeGreaterThan(50);
	}, 60_000);
});

function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
