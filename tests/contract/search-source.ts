import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document, DocumentKind } from '../../src/lib/search/index/document';
import { packPosition, Positions } from '../../src/lib/search/index/positions';
import { codeFlag, roles, type Source, type TermEntry } from '../../src/lib/search/index/source';
import type { DocumentTerms } from '../../src/lib/search/index/words';

/** The documents of a source, each of a key of its own, and those of them that are deleted. */
export interface Stock {
	documents: Document[];
	deleted: Set<string>;
}

export function termsOf(text: string): DocumentTerms {
	const positions = new Map<string, number[]>();
	const terms = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
	for (const [index, term] of terms.entries()) {
		// Some cover several positions, and begin far from the one before.
		const position = packPosition(term === 'abd' ? index * 1_000_000 : index, 1 + (term.length % 3));
		positions.set(term, [...(positions.get(term) ?? []), position]);
	}
	return { positions, words: positions.size };
}

/** Contract of every `Source`. `open` makes one: deleted documents are flagged in it, or not there at all. */
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

/** Finds without an index what each term is in, and at which positions, as one text. */
function positionsOf(documents: Iterable<Document>): Map<string, string> {
	const found = new Map<string, string[]>();
	for (const { key, text } of documents) {
		for (const [term, positions] of termsOf(text).positions) {
			if (!found.has(term)) found.set(term, []);
			found.get(term)!.push(`${key}: ${positions.join(' ')}`);
		}
	}
	return new Map([...found].map(([term, lines]) => [term, lines.sort().join('\n')]));
}

async function expectSame(source: Source, stock: Stock, others: string[]): Promise<void> {
	const live = new Map(stock.documents.filter(({ key }) => !stock.deleted.has(key)).map((document) => [document.key, document]));
	const keys = await source.keys(Array.from({ length: source.columns.length }, (_, number) => number));
	const isLive = (number: number) => source.deleted[number] === 0;
	expect(keys.filter((_, number) => isLive(number)).sort()).toEqual([...live.keys()].sort());
	expectColumns(source, keys, live);

	const positions = positionsOf(live.values());
	const read = (entries: TermEntry[]) => livePostings(source, keys, entries);
	const expected = (isWanted: (term: string) => boolean) => new Map([...positions].filter(([term]) => isWanted(term)));
	const probes = new Set([...others, ...[...positions.keys()].slice(0, 8)]);
	for (const probe of probes) {
		const entry = source.find(probe);
		expect(await read(entry ? [entry] : [])).toEqual(expected((term) => term === probe));
		for (const maxDistance of [0, 1, 2]) {
			const matches = source.fuzzy(probe, maxDistance);
			expect(matches.map(({ distance }) => distance)).toEqual(matches.map(({ entry }) => distanceOf(probe, entry.term)));
			expect(await read(matches.map(({ entry }) => entry))).toEqual(expected((term) => distanceOf(probe, term) <= maxDistance));
		}
	}
	for (const prefix of new Set([...probes].flatMap((probe) => [probe, probe.slice(0, 1)]))) {
		expect(await read(source.withPrefix(prefix))).toEqual(expected((term) => term.startsWith(prefix)));
	}
	expect(await read(source.withPrefix(''))).toEqual(positions);

	for (const key of [...stock.documents.slice(0, 40).map(({ key }) => key), '', 'nothing', '\uffff']) {
		const number = await source.findKey(key);
		if (live.has(key)) expect([keys[number!], isLive(number!)]).toEqual([key, true]);
		else expect(number === undefined || (keys[number] === key && !isLive(number))).toBe(true);
	}
	const liveKeys = (numbers: number[]) => numbers.filter(isLive).map((number) => keys[number]!).sort();
	for (const prefix of ['', 's', 's1', 's1 message 00', 't note ', 'zzz', '\uffff', ...stock.documents.slice(0, 3).map(({ key }) => key)]) {
		expect(liveKeys(await source.findKeys(prefix))).toEqual([...live.keys()].filter((key) => key.startsWith(prefix)).sort());
	}
	for (const id of ['s', 's0', 's1', 's2', 't', 'none']) {
		const own = [...live.values()].filter(({ sessionId }) => sessionId === id);
		expect(liveKeys(source.documentsOf(id))).toEqual(own.map(({ key }) => key).sort());
	}
}

function expectColumns({ columns, deleted }: Source, keys: string[], documents: Map<string, Document>): void {
	const rows = new Map<string, object>();
	for (const [number, key] of keys.entries()) {
		if (deleted[number] !== 0) continue;
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

/** Reads the same as `positionsOf` from postings and positions of live documents; terms without any are left out. */
async function livePostings(source: Source, keys: string[], entries: TermEntry[]): Promise<Map<string, string>> {
	await Promise.all([source.load(entries), source.loadPositions(entries)]);
	const { length } = source.columns;
	const buffer = { documents: new Uint32Array(length), counts: new Uint32Array(length) };
	const into = new Positions(length);
	const found = new Map<string, string>();
	for (const entry of entries) {
		expect(found.has(entry.term)).toBe(false);
		expect(source.postings(entry, buffer)).toBe(entry.count);
		const numbers = buffer.documents.subarray(0, entry.count);
		expect(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!)).toBe(true);
		source.positions(entry, buffer.counts, into);
		const lines = Array.from(numbers, (number, index) => {
			const own = into.positions.subarray(index === 0 ? 0 : into.ends[index - 1], into.ends[index]);
			return source.deleted[number] === 0 && own.length === buffer.counts[index] ? `${keys[number]}: ${own.join(' ')}` : '';
		});
		const live = lines.filter(Boolean).sort().join('\n');
		if (live) found.set(entry.term, live);
	}
	return found;
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
