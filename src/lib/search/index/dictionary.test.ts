import fc from 'fast-check';
import SearchableMap from 'minisearch/SearchableMap';
import { describe, expect, it } from 'vitest';
import { Dictionary, DictionaryWriter } from './dictionary';
import type { ListLocation } from './list-blocks';
import { unitsOf } from './units';

/** The terms in the order of a dictionary. What is said of each can be told from its index in it. */
function dictionaryOf(terms: string[]): { dictionary: Dictionary; told: Map<string, object> } {
	const writer = new DictionaryWriter();
	const told = new Map<string, object>();
	const next = (before: ListLocation, isNewBlock: boolean, bytes: number): ListLocation =>
		isNewBlock ? { block: before.block + 1, offset: 0, bytes } : { block: before.block, offset: before.offset + before.bytes, bytes };
	let postings: ListLocation = { block: 0, offset: 0, bytes: 0 };
	let positions = postings;
	for (const [index, term] of terms.entries()) {
		postings = next(postings, index > 0 && index % 7 === 0, 1 + ((index * 1009) % 70_000));
		positions = next(positions, index > 0 && index % 5 === 0, 1 + ((index * 2003) % 90_000));
		writer.add(unitsOf(term), term.length, index + 1, { postings, positions });
		const loaded = ({ block, offset }: ListLocation) => ({ block, offset, loaded: undefined });
		told.set(term, { term, count: index + 1, location: { postings: loaded(postings), positions: loaded(positions) } });
	}
	return { dictionary: new Dictionary(writer.finish()), told };
}

/** Terms that share much, in scripts of all sorts, some very long. */
const piece = fc.constantFrom('a', 'b', 'ab', 'aba', 'é', 'ß', '大', '学', '\u{1f600}', '\u{1f601}', '\ud83d', '\uffff', 'a'.repeat(70), 'ย');
const term = fc.oneof(
	fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
	fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
);
const terms = fc.oneof(
	fc.uniqueArray(term, { maxLength: 5 }),
	fc.uniqueArray(term, { maxLength: 120, size: 'max' })
).map((terms) => terms.sort());

describe('the terms of a segment', () => {
	it('[E7] are found as they were written, and nothing else is', () => {
		fc.assert(
			fc.property(terms, term, (terms, other) => {
				const { dictionary, told } = dictionaryOf(terms);
				for (const term of [...terms, other, '']) expect(dictionary.find(term)).toEqual(told.get(term));
			}),
			{ numRuns: 150 }
		);
	});

	it('[E7] are found by what they begin with', () => {
		fc.assert(
			fc.property(terms, term, fc.nat({ max: 3 }), (terms, other, length) => {
				const { dictionary, told } = dictionaryOf(terms);
				for (const prefix of [other, ...terms].flatMap((term) => [term, term.slice(0, length)])) {
					const expected = terms.filter((term) => term.startsWith(prefix)).map((term) => told.get(term));
					expect(dictionary.withPrefix(prefix)).toEqual(expected);
				}
			}),
			{ numRuns: 100 }
		);
	});

	it('[E7] a typo is forgiven as MiniSearch forgives it', () => {
		fc.assert(
			fc.property(terms, term, fc.nat({ max: 6 }), (terms, other, distance) => {
				const { dictionary, told } = dictionaryOf(terms);
				const map = SearchableMap.from(terms.map((term) => [term, told.get(term)]));
				for (const wanted of [other, ...terms.slice(0, 8)]) {
					const matches = dictionary.fuzzy(wanted, distance).map(({ entry, distance }) => [entry.term, [entry, distance]]);
					expect(new Map(matches as [string, [object, number]][])).toEqual(map.fuzzyGet(wanted, distance));
					expect(matches.map(([term]) => term)).toEqual(matches.map(([term]) => term).sort());
				}
			}),
			{ numRuns: 150 }
		);
	});

	it('[E7] a very long word is compared in an instant', () => {
		const long = 'x'.repeat(100_000);
		const { dictionary } = dictionaryOf(['xx', long, `${long}y`, `${long}yyy`]);
		expect(dictionary.fuzzy(long, 2).map(({ entry, distance }) => [entry.term.length, distance])).toEqual([[100_000, 0], [100_001, 1]]);
		expect(dictionary.find(`${long}y`)?.count).toBe(3);
	});

	it('are walked in order, with what each shares with the one before', () => {
		const { dictionary, told } = dictionaryOf(Array.from({ length: 50 }, (_, index) => `term${String(index).padStart(2, '0')}`));
		const cursor = dictionary.cursor();
		const walked: [string, number][] = [];
		while (cursor.next()) walked.push([cursor.term(), cursor.shared]);
		expect(walked.map(([term]) => term)).toEqual([...told.keys()]);
		expect(walked.map(([, shared]) => shared)).toEqual(walked.map((_, index) => (index === 0 ? 0 : index % 10 === 0 ? 4 : 5)));
		expect(cursor.next()).toBe(false);
	});
});
