import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { maxStallMs } from '../../../../tests/fixtures/max-stall';
import { stallOf } from '../../../../tests/fixtures/mutations';
import SummaryText from '../compaction/SummaryText.svelte';
import LongText from './LongText.svelte';
import Markdown from './Markdown.svelte';

let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
	if (mounted) await unmount(mounted);
	mounted = undefined;
	document.body.replaceChildren();
});

const pieces = [
	...['[', '[a](', '![a](', '*', '**a ', '_a', '*_`~', '`', '`a``', '~~a ', '> ', '> a\n', '>', '- ', '- a\n', '- a\n\n', 'a|\n', '|', '[a]: b\n', '[a][b]'],
	...['&', '&amp;', '\\', '$', '$a ', '\\[\n', '\\(', '<a href="', '<', 'http://', 'http://a.b/', '# a\n', 'a\n-\n', 'a\n\n', 'a\n', 'word ', 'a', 'A'],
	...['    a\n', '```\na\n```\n', '---\n', '\t', '\u202e']
];
const texts: Record<string, string> = Object.fromEntries(pieces.map((piece) => [JSON.stringify(piece), piece.repeat(400_000 / piece.length)]));
Object.assign(texts, {
	'one long line of code': '```js\n' + 'a&'.repeat(200_000),
	'nested list': Array.from({ length: 2000 }, (_, depth) => ' '.repeat(2 * depth) + '- a').join('\n'),
	'table': '|a'.repeat(100) + '|\n' + '|-'.repeat(100) + '|\n' + ('|b'.repeat(100) + '|\n').repeat(2000),
	'wide table': '|a'.repeat(10_000) + '|\n' + '|-'.repeat(10_000) + '|\n' + ('|\n').repeat(10_000),
	'many definitions': Array.from({ length: 30_000 }, (_, index) => `[a${index}]: b\n`).join(''),
	'hidden': '`' + 'a\u202e'.repeat(200_000) + '`'
});

describe('LongText', () => {
	it('shows a text as it was written, and breaks words that are longer than its column', () => {
		const text = 'first line\nsecond line\n\n  indented\n- ' + 'x'.repeat(2000);
		document.body.style.width = '300px';
		mounted = mount(LongText, { target: document.body, props: { text } });
		flushSync();
		const shown = document.querySelector('p')!;
		expect(shown.innerText).toBe(text);
		expect(shown.querySelectorAll('wbr')).toHaveLength(6);
		expect(shown.scrollWidth).toBeLessThanOrEqual(300);
		document.body.removeAttribute('style');
	});
});

describe('a text that changes its direction with each letter', () => {
	const turning = '\u05d0a';
	const texts = { 'in one line': turning.repeat(20_000), 'in lines': `${turning.repeat(30)}\n`.repeat(600) };
	const blocks = () => [...document.querySelectorAll('span')].filter((span) => span.textContent !== '' && getComputedStyle(span).display.includes('block'));

	it.each(Object.entries(texts))('[P8] is laid out in pieces, and is copied as it is: %s', (_, text) => {
		mounted = mount(LongText, { target: document.body, props: { text } });
		flushSync();
		expect(blocks().length).toBeGreaterThan(7);
		getSelection()!.selectAllChildren(document.querySelector('p')!);
		expect(getSelection()!.toString().trimEnd()).toBe(text.trimEnd());
	});

	it('[P8] of a summary whose values are underlined is laid out in pieces', () => {
		const text = `${turning.repeat(1900)} zq `.repeat(20);
		mounted = mount(SummaryText, { target: document.body, props: { text, unverified: ['zq'] } });
		flushSync();
		expect(document.querySelectorAll('mark')).toHaveLength(20);
		expect(blocks().length).toBeGreaterThan(15);
		expect(document.querySelector('.summary')!.textContent.trim()).toBe(text.trim());
	});

	it.each([
		['in a paragraph', (text: string) => text],
		['in a fence', (text: string) => `\`\`\`js\n${text}\n\`\`\`\n`],
		['in a fence that grows', (text: string) => `\`\`\`js\n${text}`],
		['in a table', (text: string) => `| a |\n|---|\n| ${text.slice(0, 20_000)} |\n`],
		['in a list', (text: string) => `- ${text.slice(0, 20_000)}\n`]
	])('[P8] of an answer is laid out in pieces: %s', async (name, textOf) => {
		const props = $state({ text: textOf(texts['in one line']), streaming: name.endsWith('grows') });
		mounted = mount(Markdown, { target: document.body, props });
		flushSync();
		const inAll = props.text.split('\u05d0').length - 1;
		const drawn = () => document.querySelector('.markdown')!.textContent.split('\u05d0').length - 1;
		await vi.waitFor(() => expect(drawn()).toBe(inAll), { timeout: 30_000 });
		await settled();
		expect(Math.max(...blocks().map(({ textContent }) => textContent.length))).toBeLessThanOrEqual(4010);
		const before = blocks().length;
		expect(before).toBeGreaterThanOrEqual(Math.floor(inAll / 2000) - 3);
		if (!props.streaming) return;
		props.text += turning.repeat(6000);
		await vi.waitFor(() => expect(blocks().length).toBeGreaterThanOrEqual(before + 3));
		expect(document.querySelector('figure.open code')!.textContent).toBe(props.text.slice('```js\n'.length));
	});
});

describe('an answer of 400,000 characters', () => {
	it.each(Object.keys(texts))('[P8] never keeps the page for long: %s', async (name) => {
		const time = await stallOfDrawing(async () => {
			mounted = mount(Markdown, { target: document.body, props: { text: texts[name]!, streaming: false } });
			flushSync();
			await settled();
			document.body.getBoundingClientRect();
		});
		console.info(`longest stall, ${name}: ${time.toFixed(0)} ms`);
		expect(time).toBeLessThan(maxStallMs);
	}, 60_000);

	it('[P8] is shown a part at a time, to its end', async () => {
		const text = Array.from({ length: 12_000 }, (_, index) => `Line ${index}\n\n`).join('');
		for (const [component, props] of [
			[Markdown, { text, streaming: false }],
			[LongText, { text }]
		] as const) {
			mounted = mount(component as typeof Markdown, { target: document.body, props: props as { text: string; streaming: boolean } });
			flushSync();
			for (let button: HTMLElement | null; ; button.click()) {
				await settled();
				button = [...document.querySelectorAll('button')].find((other) => other.textContent.includes('Show more')) ?? null;
				if (!button) break;
			}
			await vi.waitFor(() => expect(document.body.textContent.match(/Line \d+/g)).toHaveLength(12_000), { timeout: 30_000 });
			await unmount(mounted);
		}
		mounted = undefined;
	}, 120_000);
});

describe('an answer full of characters that can not be seen', () => {
	const pairs = (count: number) => 'a\u200b'.repeat(count);
	it.each([
		['in a fence', '```\n' + pairs(49_990) + '\n```\n', false],
		['in code of a known language', '```js\n' + pairs(49_000) + '\n```\n', false],
		['in fences', ('```\n' + pairs(500) + '\n```\n\n').repeat(98), false],
		['in a fence that grows', '```\n' + pairs(49_000), true],
		['inline', ('`' + pairs(12_490) + '`\n\n').repeat(4), false]
	])('[P8] is drawn, and the page answers: %s', async (name, text, streaming) => {
		const count = text.split('\u200b').length - 1;
		const time = await stallOfDrawing(async () => {
			mounted = mount(Markdown, { target: document.body, props: { text, streaming } });
			flushSync();
			await vi.waitFor(() => expect(shownUnseen()).toBe(count), { timeout: 60_000, interval: 200 });
			await settled();
			document.body.getBoundingClientRect();
		});
		console.info(`longest stall, ${name}: ${time.toFixed(0)} ms`);
		expect(time).toBeLessThan(maxStallMs);
		expect(document.querySelectorAll('.unseen')).toHaveLength(300);
		expect(document.querySelector('.markdown')!.textContent.split('\u200b')).toHaveLength(301);
	}, 120_000);

	const shownUnseen = () => document.querySelectorAll('.unseen').length + document.querySelector('.markdown')!.textContent.split('\ufffd').length - 1;
});

describe('an answer whose last line defines its links', () => {
	it.each([
		['headings', '# [x]\n', 11_100, false],
		['paragraphs', '[x]\n\n', 13_320, false],
		['headings, streamed', '# [x]\n', 11_100, true],
		['paragraphs, streamed', '[x]\n\n', 13_320, true]
	])('[P8] is drawn again a part at a time: %s', async (_, line, count, streamed) => {
		const links = () => document.querySelectorAll('.markdown a').length;
		const lines = line.repeat(count);
		let most = 0;
		let before = 0;
		const observer = new MutationObserver(() => {
			const now = links();
			most = Math.max(most, now - before);
			before = now;
		});
		observer.observe(document.body, { childList: true, subtree: true });
		const props = $state({ text: streamed ? lines : `${lines}\n[x]: https://e`, streaming: streamed });
		mounted = mount(Markdown, { target: document.body, props });
		flushSync();
		if (streamed) {
			await vi.waitFor(() => expect(document.body.textContent.split('[x]').length - 1).toBe(count), { timeout: 60_000, interval: 200 });
			await settled();
			props.text += '\n[x]: https://e';
			props.streaming = false;
			flushSync();
		}
		await vi.waitFor(() => expect(links()).toBe(count), { timeout: 60_000, interval: 200 });
		observer.disconnect();
		expect(most).toBeLessThan(count / 4);
	}, 200_000);
});

describe('several long answers', () => {
	it('[P8] are drawn a part of one of them a frame', async () => {
		const count = 9_000;
		const columns = Array.from({ length: 4 }, () => document.body.appendChild(document.createElement('section')));
		const drawn = new Map<CSSNumberish | null, Set<Element>>();
		const all = columns.map((column) => mount(Markdown, { target: column, props: { text: 'a\n\n'.repeat(count), streaming: false } }));
		flushSync();
		const observers = columns.map((column) => {
			const observer = new MutationObserver(() => {
				const { currentTime } = document.timeline;
				drawn.set(currentTime, (drawn.get(currentTime) ?? new Set()).add(column));
			});
			observer.observe(column, { childList: true, subtree: true });
			return observer;
		});
		await vi.waitFor(() => expect(columns.map((column) => column.querySelectorAll('p').length)).toEqual(columns.map(() => count)), { timeout: 60_000, interval: 200 });
		for (const observer of observers) observer.disconnect();
		expect(drawn.size).toBeGreaterThan(columns.length);
		// The first part of each is drawn at once.
		expect([...drawn.values()].slice(1).filter(({ size }) => size > 1)).toEqual([]);
		for (const one of all) await unmount(one);
		for (const column of columns) column.remove();
	}, 120_000);
});

/** Resolves once nothing has been drawn for a while. */
async function settled() {
	let last = performance.now();
	const observer = new MutationObserver(() => (last = performance.now()));
	observer.observe(document.body, { childList: true, characterData: true, subtree: true });
	while (performance.now() - last < 150) await new Promise((resolve) => setTimeout(resolve, 20));
	observer.disconnect();
}

/** Draws something where nothing is drawn yet, as often as `stallOf` has it done; what was drawn last stays. */
function stallOfDrawing(draw: () => Promise<void>): Promise<number> {
	return stallOf(async () => {
		if (mounted) await unmount(mounted);
		document.body.replaceChildren();
		await draw();
	});
}
