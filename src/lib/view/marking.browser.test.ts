import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WordMark } from '../search/marks';
import { Marking } from './marking';

let marking: Marking | undefined;
/** The first words of the message that was gone to, as they were told. */
let told: Range[] = [];

afterEach(() => {
	marking?.stop();
	marking = undefined;
	told = [];
	document.body.replaceChildren();
});

/** A window with one message for each of these pieces of HTML, and everything in it marked that the pattern finds. */
function draw(messages: string[], pattern = /plums?/giu, bitOf?: (word: string) => number) {
	const scroller = document.createElement('div');
	scroller.style.cssText = 'height: 400px; overflow: auto';
	const column = document.createElement('div');
	column.innerHTML = messages.map((html, index) => `<article data-id="m${index}">${html}</article>`).join('');
	scroller.append(column);
	document.body.append(scroller);
	marking = new Marking(column, (word) => told.push(word));
	marking.use(finder(pattern, bitOf), 'pear');
	return { scroller, column, article: (index: number) => column.querySelector<HTMLElement>(`[data-id="m${index}"]`)! };
}

/** Finds what matches; `bitOf` tells which word of the query it is. */
function finder(pattern: RegExp, bitOf: (word: string) => number = () => 1) {
	return (text: string) => [...text.matchAll(pattern)].map(({ index, 0: word }): WordMark => [index, index + word.length, bitOf(word), bitOf(word)]);
}

function marked(name = 'found'): string[] {
	const ranges = [...(CSS.highlights.get(name) ?? [])] as StaticRange[];
	return ranges.map(({ startContainer, startOffset, endContainer, endOffset }) => {
		const range = document.createRange();
		range.setStart(startContainer, startOffset);
		range.setEnd(endContainer, endOffset);
		return range.toString();
	});
}

const comes = (words: string[], name?: string) => vi.waitFor(() => expect(marked(name)).toEqual(words));

describe('Marking', () => {
	it('[P5] marks words in what is said, over the borders of elements but not of blocks, and nothing beside it', async () => {
		draw([
			'<p>A <b>pl</b>um, two plums</p>',
			'<p>pl</p><p>um</p><footer>plum</footer><details>plum</details>',
			'<figure><figcaption>plum</figcaption><pre><span>const </span><span>plum</span></pre></figure>'
		]);
		await comes(['plum', 'plums', 'plum']);
	});

	it('[P5] marks what a tool took and gave, each in the message that it is of', async () => {
		const traffic = (said: string) => `<details class="traffic" open><summary>plum 1</summary><header>plum 2</header><pre>${said}</pre><button>plum 3</button></details>`;
		draw([`<p>plum 4</p>${traffic('plum 5')}<article data-id="within">${traffic('plum 6')}</article>`], /plum \d/gu);
		await comes(['plum 4', 'plum 5', 'plum 6']);
		marking!.pointAt('within');
		expect([marked(), marked('found-here')]).toEqual([['plum 4', 'plum 5'], ['plum 6']]);
	});

	it('[P5] tells the message that was gone to from the others', async () => {
		draw(['<p>plum 1</p>', '<p>plum 2</p>'], /plum \d/gu);
		await comes(['plum 1', 'plum 2']);
		marking!.pointAt('m1');
		expect([marked(), marked('found-here')]).toEqual([['plum 1'], ['plum 2']]);
		marking!.pointAt('m0');
		expect([marked(), marked('found-here')]).toEqual([['plum 2'], ['plum 1']]);
		marking!.pointAt(undefined);
		expect(marked('found-here')).toEqual([]);
	});

	it('[P5] tells where the first word is in the message that was gone to, whenever it is marked', async () => {
		const { article } = draw(['<p>plum 1</p>', '<p>pear</p><p>A <b>plum</b> 2</p><p>plum 3</p>'], /(plum|fig)( \d)?/gu);
		await comes(['plum 1', 'plum 2', 'plum 3']);
		expect(told).toEqual([]);
		marking!.pointAt('m1');
		expect(told.map(String)).toEqual(['plum 2']);
		expect(article(1).contains(told[0]!.startContainer)).toBe(true);
		article(1).innerHTML = '<p>pear</p>';
		expect(told[0]!.collapsed).toBe(true);
		article(1).innerHTML = '<p>pear</p><p>fig 4</p>';
		await vi.waitFor(() => expect(told.map(String)).toEqual(['', 'fig 4']));
		const { firstChild: text } = article(1).lastElementChild!;
		(text as Text).data = 'f';
		marking!.pointAt('m1');
		expect(told.at(-1)!.collapsed).toBe(false);
	});

	it('[P5] keeps up with what is drawn, and with what is looked for', async () => {
		const { column, article } = draw(['<p>plum</p>', '<p>pear</p>']);
		await comes(['plum']);
		article(0).innerHTML = '<p>plums, <i>plum</i></p>';
		await comes(['plums', 'plum']);
		column.insertAdjacentHTML('beforeend', '<div><article data-id="m2"><p>PLUM</p></article></div>');
		await comes(['plums', 'plum', 'PLUM']);
		article(0).remove();
		await comes(['PLUM']);
		marking!.use(finder(/pear/gu), 'pears');
		await comes(['pear']);
		marking!.use(undefined, '');
		expect(marked()).toEqual([]);
		marking!.stop();
		expect(CSS.highlights.has('found')).toBe(false);
	});

	it('[P5] marks what is in sight only', async () => {
		const { scroller } = draw(Array.from({ length: 100 }, (_, index) => `<p style="height: 100px">plum ${index}</p>`), /plum \d+/gu);
		await vi.waitFor(() => expect(marked()).toContain('plum 3'));
		expect(marked().length).toBeLessThan(15);
		scroller.scrollTop = 5000;
		await vi.waitFor(() => expect(marked()).toContain('plum 45'));
		expect(marked()).not.toContain('plum 3');
	});

	it('[P5] leaves an answer alone while it grows, and marks it when it is whole', async () => {
		const { article } = draw(['<p>plum</p>', '<p>plum</p>']);
		await comes(['plum', 'plum']);
		const find = vi.fn(finder(/plum/gu));
		article(1).ariaBusy = 'true';
		marking!.use(find, 'plums');
		for (let word = 0; word < 20; word++) {
			article(1).querySelector('p')!.append(' plum');
			await new Promise(requestAnimationFrame);
		}
		expect(find).toHaveBeenCalledTimes(1);
		article(1).ariaBusy = 'false';
		await comes(Array(22).fill('plum') as string[]);
	});

	it('[P5] takes a message of megabytes piece by piece, and finds all of it', async () => {
		const lengths: number[] = [];
		const { article } = draw(['<p></p>']);
		const find = finder(/plum \d+/gu);
		marking!.use((text) => {
			lengths.push(text.length);
			return find(text);
		}, 'plums');
		article(0).firstElementChild!.textContent = Array.from({ length: 1000 }, (_, index) => `plum ${index} ${'x'.repeat(2000)}`).join(' ');
		await vi.waitFor(() => expect(marked()).toHaveLength(1000), 10_000);
		expect(Math.max(...lengths)).toBeLessThanOrEqual(8192);
		expect(marked().at(-1)).toBe('plum 999');
	});

	it('[P5] marks no more of a message than is drawn in time, the first word among it', async () => {
		draw([`<p>${'a '.repeat(49_900)}</p>`], /a/gu);
		marking!.pointAt('m0');
		await vi.waitFor(() => expect(marked('found-here')).not.toEqual([]), 10_000);
		const here = [...CSS.highlights.get('found-here')!] as StaticRange[];
		expect(here).toHaveLength(1000);
		expect(here[0]!.startOffset).toBe(0);
		expect(told.map(({ startOffset }) => startOffset)).toEqual([0]);
	});

	it('[P5] shows a message where most words stand together, and marks that place of any number', async () => {
		const bitOf = (word: string) => (word === 'fig' ? 1 : 2);
		const plums = `<p>${'plum '.repeat(2000)}</p>`;
		draw([`<p>A fig${' pear'.repeat(100)}</p>${plums.repeat(2)}<p>A <b>plum</b>, a fig</p><p>fig plum</p>${plums}`], /plum|fig/gu, bitOf);
		marking!.pointAt('m0');
		await vi.waitFor(() => expect(told).toHaveLength(1), 10_000);
		expect(told[0]!.startContainer.parentElement!.localName).toBe('b');
		expect(marked('found-here')).toHaveLength(1000);
		expect(marked('found-here').filter((word) => word === 'fig')).toHaveLength(2);
	});
});
