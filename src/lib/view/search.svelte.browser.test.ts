import { flushSync } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { search as everything } from '../app/search';
import type { Hit, SearchResult } from '../search/hit';
import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { Database } from '../storage/database';
import { correctionsOf, countOf, percentOf, Search, type Question } from './search.svelte';

const hit = (id: string): Hit => ({
	id,
	kind: 'message',
	sessionId: 's',
	session: 'S',
	workspace: 'home',
	sessionUpdatedAt: 0,
	messageId: id,
	createdAt: 0,
	score: 1,
	snippet: { text: id, marks: [] }
});

const result = (hits: Hit[], more: Partial<SearchResult> = {}): SearchResult => ({
	hits,
	total: hits.length,
	corrections: [],
	typos: [],
	models: [],
	...more
});

const question = (text: string, reach = 50): Question => ({ text, filter: {}, order: 'best', reach });

/** Answers that the test gives when it likes; the index itself is tested where it is. */
function answering() {
	const asked: { text: string; answer: (result: SearchResult) => void; fail: (error: Error) => void }[] = [];
	vi.spyOn(everything, 'find').mockImplementation(
		(text) => new Promise((resolve, reject) => asked.push({ text, answer: resolve, fail: reject }))
	);
	return asked;
}

afterEach(() => vi.restoreAllMocks());

const ids = (search: Search) => search.found?.hits.map(({ id }) => id);

describe('Search', () => {
	it('[E7] asks one thing at a time, then the newest; what was overtaken is dropped, and the last answer stays until then', async () => {
		const asked = answering();
		const search = new Search();
		void search.ask(question('a'));
		asked[0]!.answer(result([hit('1')]));
		await vi.waitFor(() => expect(ids(search)).toEqual(['1']));

		void search.ask(question('ab'));
		void search.ask(question('abc'));
		void search.ask(question('abcd'));
		expect(asked.map(({ text }) => text)).toEqual(['a', 'ab']);
		asked[1]!.answer(result([hit('2')]));
		await vi.waitFor(() => expect(asked.map(({ text }) => text)).toEqual(['a', 'ab', 'abcd']));
		expect(ids(search)).toEqual(['1']);
		asked[2]!.answer(result([hit('3')]));
		await search.settled();
		expect(ids(search)).toEqual(['3']);
		expect(search.found?.question.text).toBe('abcd');
	});

	it('[E7] asks nothing where there is no word, and an answer that comes after all was cleared is dropped', async () => {
		const asked = answering();
		const search = new Search();
		await search.ask(question('  '));
		expect(asked).toEqual([]);
		void search.ask(question('a'));
		void search.ask(question(''));
		asked[0]!.answer(result([hit('1')]));
		await search.settled();
		expect(search.found).toBeUndefined();
		await search.refresh();
		expect(asked).toHaveLength(1);
	});

	it('[E7] reads as far as is wanted, in steps that the index takes, and no hit twice', async () => {
		const asked: { limit?: number; offset?: number }[] = [];
		vi.spyOn(everything, 'find').mockImplementation((_, { limit = 0, offset = 0 } = {}) => {
			asked.push({ limit, offset });
			// Something came to the front in between.
			const first = offset === 0 ? 0 : offset - 1;
			return Promise.resolve(result(Array.from({ length: Math.min(limit, 500 - first) }, (_, index) => hit(`h${first + index}`)), { total: 500 }));
		});
		const search = new Search();
		await search.ask(question('a', 250));
		expect(asked).toEqual([
			{ limit: 200, offset: 0 },
			{ limit: 50, offset: 200 }
		]);
		expect(search.found?.hits).toHaveLength(249);
		expect(search.found?.more).toBe(true);
		await search.ask(question('a', 500));
		expect(search.found?.more).toBe(false);
	});

	it('[E7] says why there is no answer, and forgets it with the next one', async () => {
		const asked = answering();
		const search = new Search();
		void search.ask(question('a'));
		asked[0]!.fail(new AppError('search-failed', 'Search again.'));
		await search.settled();
		expect(search.failure?.message).toBe('Search again.');
		void search.refresh();
		asked[1]!.answer(result([]));
		await search.settled();
		expect(search.failure).toBeUndefined();
	});

	it('[E7] asks again when something was written, in any tab', async () => {
		const asked = answering();
		const search = new Search();
		void search.ask(question('a'));
		asked[0]!.answer(result([]));
		await search.settled();
		const stop = $effect.root(() => {
			$effect(() => search.follow());
		});
		flushSync();
		const answerAll = () => asked.forEach(({ answer }) => answer(result([])));
		await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1));
		answerAll();
		await new Promise((resolve) => setTimeout(resolve, 300));
		answerAll();
		const before = asked.length;
		const sessionId = newId();
		const db = new Database();
		await db.scratchpad.put({ sessionId, name: 'plan', content: 'one', createdAt: 1, updatedAt: 1 });
		await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before));
		stop();
		await db.scratchpad.delete([sessionId, 'plan']);
		db.close();
	});
});

describe('what is said of an answer', () => {
	it('[E7] is how much there is, and what was taken for what', () => {
		expect(countOf(result([hit('1')]))).toBe('One result');
		expect(countOf(result([], { total: 1200 }))).toBe('1,200 results');
		const corrections = [
			{ word: 'recieve', to: ['receive', 'received'] },
			{ word: 'Tea', to: ['tea'] }
		];
		expect(correctionsOf(result([], { corrections }))).toEqual(['No result has “recieve”. These have “receive” or “received”.']);
		expect([percentOf({ done: 0, total: 0 }), percentOf({ done: 2, total: 5 }), percentOf({ done: 5, total: 5 })]).toEqual([0, 40, 99]);
	});
});
