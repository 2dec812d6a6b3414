import { describe, expect, it } from 'vitest';
import { describeSource, termsOf } from '../../../../tests/contract/search-source';
import type { Document } from './document';
import { Tail } from './tail';

const message = (id: string, sessionId = 's', text = id): Document => ({
	key: `m ${id}`,
	sessionId,
	kind: 'message',
	role: 'user',
	depth: 0,
	createdAt: 1,
	hasCode: false,
	text
});

function tailOf(documents: Document[]): Tail {
	const tail = new Tail();
	for (const document of documents) tail.add(document, termsOf(document.text));
	return tail;
}

describeSource('what was just written', async ({ documents, deleted }) => {
	const tail = new Tail();
	for (const [index, document] of documents.entries()) {
		// Some are there already, as they were before.
		if (index % 3 === 0) tail.add({ ...document, sessionId: 'before', hasCode: !document.hasCode }, termsOf(`garden n1 ${index}`));
		tail.add(document, termsOf(document.text));
	}
	for (const key of deleted) expect(tail.remove(key)).toBe(true);
	expect(tail.size).toBe(documents.length - deleted.size);
	return tail;
});

describeSource('what was just written, without what it replaced', async ({ documents, deleted }) => {
	const tail = new Tail();
	for (const [index, document] of documents.entries()) {
		if (index % 3 === 0) tail.add({ ...document, sessionId: 'before', hasCode: !document.hasCode }, termsOf(`garden n1 ${index}`));
		tail.add(document, termsOf(document.text));
	}
	for (const key of deleted) tail.remove(key);
	const compacted = tail.compacted();
	expect([compacted.size, compacted.columns.length]).toEqual([tail.size, tail.size]);
	return compacted;
});

describe('the tail', () => {
	it('[E5] keeps what is deleted, and nothing of what was removed, when it is compacted', async () => {
		const tail = tailOf([message('a', 's', 'rose'), message('b', 't', 'tulip rose'), message('a', 's', 'iris'), message('c', 's', 'rose')]);
		tail.deleted[1] = 1;
		tail.remove('m c');
		const compacted = tail.compacted();
		expect(await compacted.keys([0, 1])).toEqual(['m b', 'm a']);
		expect([...compacted.deleted.slice(0, 2)]).toEqual([1, 0]);
		expect([...compacted.terms].map(([term, { postings }]) => [term, postings])).toEqual([
			['rose', [0, 1]],
			['tulip', [0, 1]],
			['iris', [1, 1]]
		]);
	});

	it('[E5] needs compaction when it holds more of what was removed than of what was not, unless that is little', () => {
		const long = Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(' ');
		const tail = tailOf([message('a', 's', long), message('a', 's', long), message('a', 's', long), message('a', 's', long)]);
		expect(tail.needsCompaction).toBe(false);
		tail.add(message('a', 's', long), termsOf(long));
		expect(tail.needsCompaction).toBe(true);
		for (let index = 0; index < 6; index++) tail.add(message(`b${index}`), termsOf(long));
		expect(tail.needsCompaction).toBe(false);
		expect(tail.compacted().needsCompaction).toBe(false);
	});

	it('[E7] a message that was written again is found as it is now, once', () => {
		const tail = tailOf([message('a', 's', 'rose'), message('b', 's', 'rose'), message('a', 's', 'tulip')]);
		expect([tail.size, tail.columns.length, [...tail.deleted.slice(0, 3)]]).toEqual([2, 3, [1, 0, 0]]);
		expect(tail.documentsOf('s')).toEqual([1, 2]);
	});

	it('[E7] what was removed does not come back when its session does', async () => {
		const tail = tailOf([message('a'), message('b'), message('c', 't')]);
		expect([tail.remove('m a'), tail.remove('m a'), tail.remove('m x')]).toEqual([true, false, false]);
		expect([tail.has('m a'), tail.has('m b')]).toEqual([false, true]);
		expect(tail.documentsOf('s')).toEqual([1]);
		expect(await tail.findKey('m a')).toBeUndefined();
		expect(await tail.findKeys('m ')).toEqual([1, 2]);
	});

	it('removes by number what has not been replaced meanwhile', () => {
		const tail = tailOf([message('a', 's', 'rose'), message('a', 's', 'tulip')]);
		tail.removeAt(0);
		expect(tail.has('m a')).toBe(true);
		tail.removeAt(1);
		expect(tail.has('m a')).toBe(false);
	});

	it('keeps what is deleted when it grows', () => {
		const tail = tailOf([message('a')]);
		tail.deleted[0] = 1;
		for (let index = 0; index < 300; index++) tail.add(message(String(index)), termsOf('x'));
		expect(tail.deleted[0]).toBe(1);
		expect(tail.deleted.slice(1, 301).every((flag) => flag === 0)).toBe(true);
	});
});
