import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText, mixedText } from '../../../tests/fixtures/search-text';
import type { Snippet } from './hit';
import { parseQuery } from './index/parse-query';
import { processTerm, tokenize } from './index/words';
import { matcherOf } from './marks';
import { snippetOf } from './snippet';

function snippet(query: string, text: string): Snippet {
	const parsed = parseQuery(query);
	return snippetOf(text, matcherOf(parsed), parsed);
}

const markedIn = ({ text, marks }: Snippet) => marks.map(([from, to]) => text.slice(from, to));
const filler = (count: number) => 'some more words here '.repeat(count);

describe('the line that shows a hit', () => {
	it('[E7] is around the first match, cut between words', () => {
		const found = snippet('needle ', `${filler(20)}the needle ${filler(20)}`);
		expect(found.text).toMatch(/^…[^ ].* the needle some .*[^ ]…$/);
		expect(found.text.length).toBeLessThanOrEqual(162);
		expect(found.text.length).toBeGreaterThan(120);
		expect(markedIn(found)).toEqual(['needle']);
		expect(found.text.slice(1, -1).split(' ').every((word) => ['some', 'more', 'words', 'here', 'the', 'needle'].includes(word))).toBe(true);
	});

	it('[E7] is the text itself where that is short, and its beginning where nothing matches', () => {
		expect(snippet('dog ', ' A  dog\n\nand a cat\n')).toEqual({ text: 'A dog and a cat', marks: [[2, 5]] });
		expect(snippet('dog ', 'A cat')).toEqual({ text: 'A cat', marks: [] });
		expect(snippet('dog ', filler(20)).text).toMatch(/^some more .*…$/);
		expect(snippet('dog ', '')).toEqual({ text: '', marks: [] });
	});

	it('[E7] is around a word that has parts, and not where only such a part is', () => {
		const found = snippet('word10 ', `word1 ${filler(20)}a word10 and word11 ${filler(20)}`);
		expect(markedIn(found)).toEqual(['word10']);
		expect(markedIn(snippet('word10 ', 'word 9, word 10'))).toEqual(['word', 'word', '10']);
	});

	it('[E7] is at the end of a text with what comes before', () => {
		const found = snippet('needle', `${filler(20)}needle`);
		expect(found.text).toMatch(/^…[^ ].*here needle$/);
		expect(found.text.length).toBeGreaterThan(140);
	});

	it('[E7] is around the first phrase if there is one', () => {
		const text = `A dog and a big cat. ${filler(20)}The big dog ${filler(5)}`;
		const found = snippet('"big dog" more ', text);
		expect(found.text).toContain('The big dog');
		expect(markedIn(found)).toContain('big dog');
		expect(markedIn(found)).toContain('more');
		expect(markedIn(snippet('"big do', text))).toEqual(['big dog']);
	});

	it('[P5] [E7] is where most of several words stand together, the first such place', () => {
		const lines = Array.from({ length: 400 }, (_, index) => (index === 200 || index === 300 ? `A needle in line ${index}` : `Report, line ${index}`)).join('\n');
		const found = snippet('needle line ', lines);
		expect(found.text).toContain('A needle in line 200');
		expect(markedIn(found)).toContain('needle');
		expect(markedIn(found)).toContain('line');
		expect(snippet('line ', lines).text).toMatch(/^Report, line 0 /);
		expect(snippet('report absent ', lines).text).toMatch(/^Report, line 0 /);
		expect(snippet('"in line" needle 300', lines).text).toContain('A needle in line 300');
	});

	it('[P5] [E7] has words together that stand for ones that are nowhere', () => {
		const parsed = parseQuery('needel lien ');
		const text = `A line. ${filler(20)}The needle, a line. ${filler(20)}`;
		const matches = matcherOf(parsed, [
			{ word: 'needel', to: ['needle'] },
			{ word: 'lien', to: ['line'] }
		]);
		expect(markedIn(snippetOf(text, matches, parsed))).toEqual(['needle', 'line']);
	});

	it('[E7] leaves out the plainest signs of Markdown, and no others', () => {
		const text = '## A **bold** plan\n\n> said\n\n```ts\nif (a > b) c = 2**8; // __init__ # no\n```\n';
		expect(snippet('plan ', text).text).toBe('A bold plan said ts if (a > b) c = 2**8; // __init__ # no');
	});

	it('[E7] shows a match in a long word, and cuts no character', () => {
		const found = snippet('needle ', `${'🚀'.repeat(400)}needle${'🚀'.repeat(400)}`);
		expect(markedIn(found)).toEqual(['needle']);
		expect(found.text.isWellFormed()).toBe(true);
	});

	it('marks are inside, in order and apart, and cover text that matches', () => {
		fc.assert(
			fc.property(fc.oneof(mixedText, hostileText), mixedText, fc.nat(30), (text, query, repeats) => {
				const parsed = parseQuery(query);
				const matches = matcherOf(parsed);
				const found = snippetOf(filler(repeats) + text, matches, parsed);
				expect(found.text.length).toBeLessThanOrEqual(162);
				expect(found.text).not.toMatch(/[\n\t\0]/);
				let end = -1;
				for (const [from, to] of found.marks) {
					expect(from).toBeGreaterThan(end);
					expect(to).toBeGreaterThan(from);
					end = to;
				}
				expect(end).toBeLessThanOrEqual(found.text.length);
				const isFound = tokenize(filler(repeats) + text).some((token) => matches(processTerm(token) ?? '') !== 0);
				if (isFound) expect(found.marks).not.toEqual([]);
			})
		);
	});

	it('is quick in a text of 5 MB', () => {
		const started = performance.now();
		expect(markedIn(snippet('needle ', `${filler(100)}needle ${'x '.repeat(2_500_000)}`))).toEqual(['needle']);
		expect(markedIn(snippet('needle hay ', `needle ${'x '.repeat(2_500_000)} hay`))).toEqual(['needle']);
		expect(snippet('needle ', `needle${' '.repeat(5_000_000)}`).text).toBe('needle…');
		expect(performance.now() - started).toBeLessThan(2000);
	});
});
