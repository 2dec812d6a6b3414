import { describe, expect, it } from 'vitest';
import { flushed, openedSegment } from '../../../../tests/contract/opened-segment';
import { describeSource, termsOf } from '../../../../tests/contract/search-source';
import { BlockCache } from './block-cache';
import type { TermLocation } from './dictionary';
import type { Document } from './document';
import { noDocument, flush } from './flush';
import { Positions } from './positions';
import type { TermEntry } from './source';
import { Tail } from './tail';

const message = (number: number, text: string): Document => ({
	key: `m ${String(number).padStart(6, '0')}`,
	sessionId: 's',
	kind: 'message',
	role: 'user',
	depth: 0,
	createdAt: 1,
	hasCode: false,
	text
});

describeSource('a segment whose tail had lost what was deleted', async ({ documents, deleted }) => {
	const tail = new Tail();
	for (const document of documents) tail.add(document, termsOf(document.text));
	for (const key of deleted) tail.remove(key);
	const { parts, numbers } = flush(tail);
	expect(parts.head.columns.length).toBe(documents.length - deleted.size);
	for (const [number, { key }] of documents.entries()) expect(numbers[number] === noDocument).toBe(deleted.has(key));
	const { segment } = openedSegment(parts);
	for (const { key } of documents) if (!deleted.has(key)) expect(await segment.findKey(key)).toBe(numbers[(await tail.findKey(key))!]);
	return segment;
});

describeSource('a segment with documents that were deleted since', async ({ documents, deleted }) => {
	const { parts, numbers } = flushed({ documents });
	const deletedNumbers = new Set(documents.flatMap(({ key }, number) => (deleted.has(key) ? numbers[number]! : [])));
	// Nothing of it stays in the cache.
	return openedSegment(parts, { deleted: (number) => deletedNumbers.has(number), cache: new BlockCache(0) }).segment;
});

/** Terms that have a block of postings each, more or less. */
const documents = Array.from({ length: 3000 }, (_, number) => {
	const words = Array.from({ length: 80 }, (_, index) => `w${index % 2 ? index : (number * 7 + index) % 900}`);
	return message(number, words.join(' '));
});

async function countOf(segment: ReturnType<typeof openedSegment>['segment'], entry: TermEntry): Promise<number> {
	const buffer = { documents: new Uint32Array(3000), counts: new Uint32Array(3000) };
	return segment.postings(entry, buffer);
}

function positionsOf(segment: ReturnType<typeof openedSegment>['segment'], entry: TermEntry): number[] {
	const into = new Positions(3000);
	segment.positions(entry, new Uint32Array(3000).fill(1), into);
	return [...into.positions.subarray(0, into.ends[entry.count - 1])];
}

describe('a segment', () => {
	it('[E7] keeps deleted documents of the tail, which may come back', () => {
		const tail = new Tail();
		for (const document of documents.slice(0, 3)) tail.add(document, termsOf(document.text));
		tail.deleted.fill(1);
		expect(flush(tail).parts.head.columns.length).toBe(3);
		expect([tail.size, tail.columns.length]).toEqual([3, 3]);
	});

	it('stores arrays that are no longer than what is in them', () => {
		const { head, postings, positions, keys } = flushed({ documents: documents.slice(0, 10) }).parts;
		const { dictionary } = head;
		const lists = [...Object.values(dictionary.postings), ...Object.values(dictionary.positions), ...postings, ...positions];
		const arrays = [...Object.values(head.columns), ...Object.values(dictionary), ...lists, ...keys.map(({ ends }) => ends)];
		for (const array of arrays) if (ArrayBuffer.isView(array)) expect(array.buffer.byteLength).toBe(array.byteLength);
		expect(head.columns.session).toHaveLength(10);
	});

	it('reads only the blocks that are asked for, once while there is room in the cache', async () => {
		const { parts } = flushed({ documents });
		expect(parts.postings.length).toBeGreaterThan(2);
		expect(parts.keys).toHaveLength(3);
		const { segment, asked } = openedSegment(parts);
		const entry = segment.find('w1')!;
		await expect(countOf(segment, entry)).rejects.toThrow('were not loaded');
		await segment.load([entry]);
		await segment.load([segment.find('w1')!]);
		expect(await countOf(segment, entry)).toBe(3000);
		expect(await segment.keys([1024, 5])).toEqual(['m 001024', 'm 000005']);
		expect(await segment.findKey('m 000007')).toBe(7);
		expect(await segment.findKeys('m 0010')).toEqual(Array.from({ length: 100 }, (_, index) => 1000 + index));
		const { postings, positions } = entry.location as TermLocation;
		expect(asked).toEqual([`postings ${postings.block}`, 'keys 1', 'keys 0']);
		expect(() => positionsOf(segment, entry)).toThrow('were not loaded');
		await segment.loadPositions([entry]);
		await segment.loadPositions([segment.find('w1')!]);
		expect(positionsOf(segment, entry)).toHaveLength(3000);
		expect(asked.slice(3)).toEqual([`positions ${positions.block}`]);
	});

	it('holds the postings of a query whatever is read meanwhile', async () => {
		const { parts } = flushed({ documents });
		const { segment, asked } = openedSegment(parts, { cache: new BlockCache(0) });
		const all = segment.withPrefix('w');
		await segment.load(all);
		expect(asked).toHaveLength(parts.postings.length);
		for (const entry of all) expect(await countOf(segment, entry)).toBe(entry.count);
	});

	it('shares a cache with others, each with blocks of its own', async () => {
		const cache = new BlockCache(1_000_000);
		const [a, b] = [['rose'], ['tulip', 'rose']].map((texts) => {
			const { parts } = flushed({ documents: texts.map((text, number) => message(number, text)) });
			return openedSegment(parts, { cache }).segment;
		});
		for (const [segment, count] of [[a!, 1], [b!, 1]] as const) {
			const entry = segment.find('rose')!;
			await segment.load([entry]);
			expect(await countOf(segment, entry)).toBe(count);
		}
		expect(await b!.keys([1])).toEqual(['m 000001']);
	});
});

it('BlockCache keeps what was used last, and no more than it may', () => {
	const cache = new BlockCache(10);
	for (const name of ['a', 'b']) cache.put(name, name, 4);
	cache.get('a');
	cache.put('c', 'c', 4);
	expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['a', undefined, 'c']);
	cache.put('c', 'C', 6);
	expect([cache.get('a'), cache.get('c')]).toEqual(['a', 'C']);
	cache.put('d', 'd', 11);
	expect(['a', 'c', 'd'].map((name) => cache.get(name))).toEqual([undefined, undefined, undefined]);
});
