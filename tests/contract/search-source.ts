import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document, DocumentKind } from '../../src/lib/search/index/document';
import { placeOf, Places } from '../../src/lib/search/index/places';
import { codeFlag, roles, type Source, type TermEntry } from '../../src/lib/search/index/source';
import type { DocumentTerms } from '../../src/lib/search/index/words';

/** What a source is made of: documents, each of a key of its own, and those of them that are deleted. */
export interface Stock {
	documents: Document[];
	deleted: Set<string>;
}

export function termsOf(text: string): DocumentTerms {
	const places = new Map<string, number[]>();
	const terms = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
	for (const [index, term] of terms.entries()) {
		// Some cover several parts, and begin far from the one before.
		const place = placeOf(term === 'abd' ? index * 1_000_000 : index, 1 + (term.length % 3));
		places.set(term, [...(places.get(term) ?? []), place]);
	}
	return { places, words: places.size };
}

/** What every `Source` promises. `open` makes one: deleted documents are hidden in it, or not there at all. */
export function describeSource(name: string, open: (stock: Stock) => Promise<Source>): void {
	describe(`search in ${name}`, () => {
		it('[E7] finds what is there, as often as it is there, and nothing that is deleted', async () => {
			await fc.assert(
				fc.asyncProperty(stock, fc.array(word, { maxLength: 5 }), async (stock, others) => {
					await expectSame(await open(stock), stock, others);
				}),
				{ numRuns: 40 }
			);
		});

		it('[E7] finds among thousands of documents', async () => {
			const { documents, deleted } = manyDocuments();
			await expectSame(await open({ documents, deleted }), { documents, deleted }, ['w1', 'x40', '大学']);
		}, 20_000);
	});
}

const word = fc.oneof(
	fc.constantFrom('a', 'ab', 'abc', 'abcd', 'abd', 'garden', 'gardens', 'gärten', 'warden'),
	fc.constantFrom('大学', '大', '北京大学', '\u{20000}', '\u{20000}\u{20001}'),
	fc.integer({ min: 0, max: 40 }).map((number) => `n${number}`),
	fc.constant('long'.repeat(30))
);
const sessionId = fc.constantFrom('s', 's1', 's2', 't');

const document: fc.Arbitrary<Document> = fc
	.record({
		kind: fc.constantFrom<DocumentKind[]>('message', 'title', 'label', 'note'),
		role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
		sessionId,
		name: fc.oneof(fc.nat({ max: 999 }).map(String), fc.string({ unit: 'binary', maxLength: 4 })),
		model: fc.option(fc.constantFrom('gpt', 'claude', ''), { nil: undefined }),
		depth: fc.nat({ max: 2 ** 31 }),
		createdAt: fc.nat({ max: 2 ** 45 }),
		hasCode: fc.boolean(),
		text: fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
	})
	.map(({ kind, role, sessionId, name, model, depth, createdAt, hasCode, text }) => ({
		key: `${sessionId} ${kind} ${name}`,
		sessionId,
		kind,
		...(kind === 'message' && { role }),
		...(model !== undefined && { model }),
		depth,
		createdAt,
		hasCode,
		text
	}));

export const stock: fc.Arbitrary<Stock> = fc
	.uniqueArray(document, { selector: ({ key }) => key, maxLength: 30 })
	.chain((documents) =>
		fc.record({ documents: fc.constant(documents), deleted: fc.subarray(documents.map(({ key }) => key)).map((keys) => new Set(keys)) })
	);

/** Enough for several blocks of keys and of postings. */
function manyDocuments(): Stock {
	const documents = Array.from({ length: 2100 }, (_, number): Document => {
		const words = Array.from({ length: 40 }, (_, index) => (index % 3 ? `w${(number * index) % 1500}` : `x${(number + index) % 300}`));
		// In an order that is not that of the keys.
		const id = String((number * 1009) % 2100).padStart(5, '0');
		const text = [...words, ...(number % 2 ? [] : ['all', '大学'])].join(' ');
		const sessionId = `s${number % 3}`;
		return { key: `${sessionId} message ${id}`, sessionId, kind: 'message', role: 'user', depth: number, createdAt: number, hasCode: false, text };
	});
	return { documents, deleted: new Set(documents.filter((_, number) => number % 5 === 0).map(({ key }) => key)) };
}

/** What is known without an index: by term, in what it is and where, as one text. */
function placesOf(documents: Iterable<Document>): Map<string, string> {
	const found = new Map<string, string[]>();
	for (const { key, text } of documents) {
		for (const [term, places] of termsOf(text).places) {
			if (!found.has(term)) found.set(term, []);
			found.get(term)!.push(`${key}: ${places.join(' ')}`);
		}
	}
	return new Map([...found].map(([term, lines]) => [term, lines.sort().join('\n')]));
}

async function expectSame(source: Source, stock: Stock, others: string[]): Promise<void> {
	const living = new Map(stock.documents.filter(({ key }) => !stock.deleted.has(key)).map((document) => [document.key, document]));
	const keys = await source.keys(Array.from({ length: source.columns.length }, (_, number) => number));
	const isShown = (number: number) => source.hidden[number] === 0;
	expect(keys.filter((_, number) => isShown(number)).sort()).toEqual([...living.keys()].sort());
	expectColumns(source, keys, living);

	const places = placesOf(living.values());
	const read = (entries: TermEntry[]) => shownPostings(source, keys, entries);
	const expected = (isWanted: (term: string) => boolean) => new Map([...places].filter(([term]) => isWanted(term)));
	const probes = new Set([...others, ...[...places.keys()].slice(0, 8)]);
	for (const probe of probes) {
		const entry = source.find(probe);
		expect(await read(entry ? [entry] : [])).toEqual(expected((term) => term === probe));
		for (const most of [0, 1, 2]) {
			const near = source.near(probe, most);
			expect(near.map(({ distance }) => distance)).toEqual(near.map(({ entry }) => distanceOf(probe, entry.term)));
			expect(await read(near.map(({ entry }) => entry))).toEqual(expected((term) => distanceOf(probe, term) <= most));
		}
	}
	for (const prefix of new Set([...probes].flatMap((probe) => [probe, probe.slice(0, 1)]))) {
		expect(await read(source.withPrefix(prefix))).toEqual(expected((term) => term.startsWith(prefix)));
	}
	expect(await read(source.withPrefix(''))).toEqual(places);

	for (const key of [...stock.documents.slice(0, 40).map(({ key }) => key), '', 'nothing', '\uffff']) {
		const number = await source.findKey(key);
		if (living.has(key)) expect([keys[number!], isShown(number!)]).toEqual([key, true]);
		else expect(number === undefined || (keys[number] === key && !isShown(number))).toBe(true);
	}
	const shownKeys = (numbers: number[]) => numbers.filter(isShown).map((number) => keys[number]!).sort();
	for (const prefix of ['', 's', 's1', 's1 message 00', 't note ', 'zzz', '\uffff', ...stock.documents.slice(0, 3).map(({ key }) => key)]) {
		expect(shownKeys(await source.findKeys(prefix))).toEqual([...living.keys()].filter((key) => key.startsWith(prefix)).sort());
	}
	for (const id of ['s', 's0', 's1', 's2', 't', 'none']) {
		const own = [...living.values()].filter(({ sessionId }) => sessionId === id);
		expect(shownKeys(source.documentsOf(id))).toEqual(own.map(({ key }) => key).sort());
	}
}

function expectColumns({ columns, hidden }: Source, keys: string[], documents: Map<string, Document>): void {
	const rows = new Map<string, object>();
	for (const [number, key] of keys.entries()) {
		if (hidden[number] !== 0) continue;
		const role = columns.role[number]!;
		rows.set(key, {
			sessionId: columns.sessionIds[columns.session[number]!],
			role: roles[role & ~codeFlag],
			hasCode: (role & codeFlag) !== 0,
			model: columns.models[columns.model[number]!],
			depth: columns.depth[number],
			createdAt: columns.createdAt[number],
			words: columns.words[number]
		});
	}
	const expected = [...documents].map(([key, { sessionId, role, kind, hasCode, model = '', depth, createdAt, text }]) => {
		return [key, { sessionId, role: role ?? kind, hasCode, model, depth, createdAt, words: termsOf(text).words }] as const;
	});
	expect(rows).toEqual(new Map(expected));
	expect(columns.models[0]).toBe('');
}

/** As `placesOf`, what postings and places say of what is not hidden; terms without any are left out. */
async function shownPostings(source: Source, keys: string[], entries: TermEntry[]): Promise<Map<string, string>> {
	await Promise.all([source.load(entries), source.loadPlaces(entries)]);
	const { length } = source.columns;
	const room = { documents: new Uint32Array(length), counts: new Uint32Array(length) };
	const into = new Places(length);
	const shown = new Map<string, string>();
	for (const entry of entries) {
		expect(shown.has(entry.term)).toBe(false);
		expect(source.postings(entry, room)).toBe(entry.count);
		const numbers = room.documents.subarray(0, entry.count);
		expect(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!)).toBe(true);
		source.places(entry, room.counts, into);
		const lines = Array.from(numbers, (number, index) => {
			const own = into.places.subarray(index === 0 ? 0 : into.ends[index - 1], into.ends[index]);
			return source.hidden[number] === 0 && own.length === room.counts[index] ? `${keys[number]}: ${own.join(' ')}` : '';
		});
		const living = lines.filter(Boolean).sort().join('\n');
		if (living) shown.set(entry.term, living);
	}
	return shown;
}

/** Levenshtein's, in UTF-16 units. */
function distanceOf(a: string, b: string): number {
	let above = Array.from({ length: b.length + 1 }, (_, column) => column);
	for (let row = 1; row <= a.length; row++) {
		const distances = [row];
		for (let column = 1; column <= b.length; column++) {
			const changed = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
			distances.push(Math.min(changed, above[column]! + 1, distances[column - 1]! + 1));
		}
		above = distances;
	}
	return above[b.length]!;
}
