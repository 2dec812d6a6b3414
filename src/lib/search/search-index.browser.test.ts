import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import version6 from '../../../tests/fixtures/database-v6.json';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { expectSameScores, scoresByMiniSearch, type Text } from '../../../tests/fixtures/mini-search';
import { writeDatabase, type Written } from '../../../tests/fixtures/written-database';
import { newId } from '../shared/id';
import { createPause } from '../shared/pause';
import { append, type NewMessage } from '../storage/append';
import { ChangeReaders } from '../storage/change-readers';
import { Database } from '../storage/database';
import { unfenced } from '../storage/fence';
import { Messages } from '../storage/messages';
import { redact } from '../storage/redact';
import { renameSessionUnfenced } from '../storage/rename-session';
import { Scratchpad } from '../storage/scratchpad';
import { Sessions } from '../storage/sessions';
import { Trash } from '../storage/trash';
import { Trees } from '../storage/trees';
import { messageDocument, sessionDocuments } from './documents';
import type { SearchOptions } from './hit';
import { discardIndex } from './index-store';
import { messageKey, titleKey } from './index/keys';
import { parseQuery, toQuery } from './index/parse-query';
import { processTerm } from './index/words';
import { Indexer, type Sizes } from './indexer';
import { SearchIndex } from './search-index';

const atOnce = () => Promise.resolve();

/** So small that a few messages are flushed and merged already. */
const small: Sizes = { tail: 3, idleTail: 1, idleChanges: 1, page: 2, segment: 3 };

/** One worker's worth of search. */
class Reader {
	readonly index: SearchIndex;
	readonly indexer: Indexer;

	constructor(
		readonly db: Database,
		sizes: Sizes = small
	) {
		this.index = new SearchIndex(db, atOnce);
		this.indexer = new Indexer(this.index, { locks: navigator.locks, newId }, sizes);
	}

	private working = Promise.resolve();

	/** One after the other, as a worker does. */
	work(idle = false): Promise<void> {
		return (this.working = this.working.then(() => this.indexer.catchUp(idle)));
	}

	/** Nothing that it does counts any more. */
	crash(): void {
		this.index.store.commit = () => new Promise(() => undefined);
	}

	/** By the key in the index, the scores of all hits. */
	async scores(text: string): Promise<Map<string, number>> {
		const { hits, total } = await this.index.search(text, { limit: 200 });
		expect(hits).toHaveLength(total);
		return new Map(hits.map(({ id, kind, score, sessionId }) => [kind === 'message' ? messageKey(id) : kind === 'title' ? titleKey(sessionId) : id, score]));
	}
}

/** Everything that can be found, read from the rows. */
async function textsOf(db: Database): Promise<Text[]> {
	const texts: Text[] = [];
	for (const session of await db.sessions.toArray()) {
		const notes = await new Scratchpad(db).list(session.id);
		texts.push(...sessionDocuments(session, await db.trees.get(session.id), notes));
		for (const row of await new Messages(db).all(session.id)) {
			const document = messageDocument(row);
			if (document) texts.push(document);
		}
	}
	return texts;
}

const queries = ['apple ', 'ban', 'apple banana ', 'cherry -apple', 'named ', 'quince', '"apple banana" ', '"named ch', 'apple -"apple banana"'];

async function expectInStep(reader: Reader, asked = queries): Promise<void> {
	const wanted = scoresByMiniSearch(await textsOf(reader.db));
	for (const text of asked) {
		const query = toQuery(parseQuery(text), new Set())!;
		expectSameScores(await reader.scores(text), wanted(query));
	}
}

type Step =
	| { do: 'say'; session: number; text: string; branchAt: number | undefined }
	| { do: 'redact' | 'remove branch'; session: number; at: number }
	| { do: 'delete' | 'rename' | 'note' | 'drop note'; session: number }
	| { do: 'label'; session: number; at: number }
	| { do: 'undo' | 'purge' | 'index' | 'idle' | 'begin' | 'fail' | 'crash' | 'rebuild' | 'trim' | 'look' };

const text = fc.array(fc.constantFrom('apple', 'apples', 'banana', 'bank', 'cherry', 'quince'), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const session = fc.nat(1);
const at = fc.nat(9);
const saying = fc.record({ do: fc.constant('say' as const), session, text, branchAt: fc.option(at, { nil: undefined }) });
const doing = (...names: (Step & { session?: never })['do'][]) => fc.constantFrom(...names).map((name) => ({ do: name }) as Step);
const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
	{ weight: 8, arbitrary: saying },
	{ weight: 5, arbitrary: fc.record({ do: fc.constantFrom('redact' as const, 'remove branch' as const), session, at }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'rename' as const, 'note' as const, 'drop note' as const), session }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('label' as const), session, at }) },
	{ weight: 3, arbitrary: doing('undo') },
	{ weight: 5, arbitrary: doing('begin') },
	{ weight: 7, arbitrary: doing('purge', 'index', 'idle', 'fail', 'crash', 'rebuild', 'trim', 'look') }
);
/** Something is said in each session first, so that there is something to do the rest to. */
const steps = fc
	.tuple(fc.array(saying, { minLength: 6, maxLength: 12 }), fc.array(step, { minLength: 4, maxLength: 30 }))
	.map(([first, rest]): Step[] => [...first, ...rest]);

/** A branch goes for good while the index is built: the rest of its session is looked through again, and was read for the index as well. */
const purgedWhileBuilt: Step[] = [
	...Array.from({ length: 6 }, (): Step => ({ do: 'say', session: 0, text: 'apple', branchAt: undefined })),
	{ do: 'begin' },
	{ do: 'say', session: 0, text: 'apple', branchAt: 0 },
	{ do: 'say', session: 0, text: 'apple', branchAt: undefined },
	{ do: 'look' },
	{ do: 'remove branch', session: 0, at: 1 },
	{ do: 'purge' },
	{ do: 'say', session: 0, text: 'apple', branchAt: undefined },
	{ do: 'say', session: 0, text: 'apple', branchAt: undefined }
];

/** A branch is deleted and comes back while the index takes in that another one below it was deleted. */
const deletedAndBack: Step[] = [
	...[0, 0, 1, 1, 1, 0].map((session): Step => ({ do: 'say', session, text: 'apple', branchAt: undefined })),
	{ do: 'begin' },
	{ do: 'say', session: 1, text: 'apple', branchAt: undefined },
	{ do: 'remove branch', session: 1, at: 6 },
	{ do: 'remove branch', session: 1, at: 1 },
	{ do: 'undo' },
	{ do: 'redact', session: 0, at: 0 },
	{ do: 'redact', session: 0, at: 1 }
];

/** Does things to one database as a user would, with an index in one worker, and another that only reads. */
class World {
	readonly db = openDatabase();
	leader = new Reader(this.db);
	readonly other = new Reader(this.db);
	private clock = 10_000;

	/** Waits until what was begun is over, and the index is whole. */
	async settle(): Promise<void> {
		await this.leader.work();
	}

	async take(step: Step): Promise<void> {
		const { db, leader } = this;
		this.clock += 1;
		if ('session' in step) return this.edit(step, `s${step.session}`);
		switch (step.do) {
			case 'undo': {
				const [item] = await new Trash(db).list();
				// It may hang below something else that is deleted.
				if (item) await new Trash(db).restoreUnfenced([item.id]).catch(() => undefined);
				return;
			}
			case 'purge':
				await new Trash(db).purgeUnfenced((this.clock += 1_000_000));
				return;
			case 'index':
				return leader.work();
			case 'begin':
				// What comes next happens while it works.
				void leader.work(true);
				return;
			case 'idle':
				return leader.work(true);
			case 'fail': {
				await leader.work();
				// As on a full disk: the transaction that would have written is gone.
				const { commit } = leader.index.store;
				leader.index.store.commit = (step) => db.transaction('rw', db.segments, db.searchState, db.changes, db.changeCursors, async () => {
					await commit.call(leader.index.store, step);
					throw new Error('no room');
				});
				await leader.indexer.catchUp(true).catch((error: Error) => expect(error.message).toBe('no room'));
				leader.index.store.commit = commit;
				return;
			}
			case 'crash':
				leader.crash();
				this.leader = new Reader(db);
				return;
			case 'rebuild':
				return discardIndex(db);
			case 'trim':
				// As of an index that nobody wrote for long.
				return new ChangeReaders(db).trim(2);
			case 'look':
				await this.other.index.search('apple');
		}
	}

	private async edit(step: Step & { session: number }, id: string): Promise<void> {
		const { db, clock } = this;
		const known = await new Sessions(db).get(id);
		if (step.do === 'say') {
			const rows = known ? await new Messages(db).all(id) : [];
			if (!known && (await db.trash.get(id))) return;
			const parent = step.branchAt === undefined ? undefined : rows[step.branchAt % Math.max(1, rows.length)];
			const session = known ? id : newSession({ id, title: `named apple ${id}`, titledBy: clock % 2 ? 'user' : 'snug', createdAt: clock });
			await append(db, { session, fence: unfenced, messages: [newMessage('user', step.text, { createdAt: clock })], ...(parent ? { parentId: parent.id } : {}) });
			return;
		}
		if (!known) return;
		if (step.do === 'delete') await new Trash(db).deleteSessionsUnfenced([id], clock);
		else if (step.do === 'rename') await new Sessions(db).updateUnfenced(id, { title: `named cherry ${clock}`, titledBy: 'user' });
		else if (step.do === 'note') await new Scratchpad(db).set(id, 'list', `banana named ${clock}`, clock);
		else if (step.do === 'drop note') await new Scratchpad(db).remove(id, 'list', clock);
		else if ('at' in step) {
			const rows = await new Messages(db).all(id);
			const row = rows[step.at % rows.length]!;
			if (step.do === 'label') await new Trees(db).label(id, row.id, 'quince', unfenced);
			else if (step.do === 'remove branch') {
				if (row.depth > 0) await new Trees(db).removeBranch(id, row.id, clock, unfenced);
			} else if (row.parts.every(({ type }) => type !== 'redacted')) await redact(db, row.id, clock, unfenced);
		}
	}
}

describe('[E5] the index is in step with what is stored', () => {
	it('after any sequence of writes, deletions, flushes, merges, crashes and failures, in every worker', async () => {
		await fc.assert(
			fc.asyncProperty(steps, fc.boolean(), async (steps, fromTheStart) => {
				const world = new World();
				if (fromTheStart) await world.leader.work();
				for (const step of steps) await world.take(step);
				await world.settle();
				await expectInStep(world.leader);
				await expectInStep(world.other);
				await expectInStep(new Reader(world.db));
				await world.leader.work(true);
				expect((await world.leader.index.store.manifest())!.segments.flatMap(({ deletionBitmap }) => [...deletionBitmap]).filter((bits) => bits !== 0)).toEqual([]);
				await expectInStep(world.other);
				await expectInStep(new Reader(world.db));
			}),
			{ numRuns: 50, examples: Array.from({ length: 24 }, (_, at): [Step[], boolean] => (at < 20 ? [purgedWhileBuilt, false] : [deletedAndBack, true])) }
		);
	}, 240_000);
});

/** A session with these messages of a user, in one branch; a second apart. */
async function say(db: Database, texts: string[], more: Partial<Parameters<typeof newSession>[0]> = {}): Promise<string[]> {
	const messages = texts.map((text, index) => newMessage('user', text, { createdAt: 1000 * (index + 1) }));
	const titled = more.title === undefined ? {} : { titledBy: 'user' as const };
	const rows = await append(db, { session: newSession({ ...titled, ...more }), messages: messages as [NewMessage, ...NewMessage[]] });
	return rows.map(({ id }) => id);
}

it('[E7] a chat is found once by words of its first question, which are in the title that it has until a user gives it another', async () => {
	const db = openDatabase();
	const { index, indexer } = new Reader(db);
	const kinds = async () => {
		await indexer.catchUp();
		return (await index.search('lapwing')).hits.map(({ kind }) => kind);
	};
	await say(db, ['a lapwing'], { id: 's', title: 'a lapwing', titledBy: 'snug' });
	expect(await kinds()).toEqual(['message']);
	await renameSessionUnfenced(db, 's', 'lapwing');
	expect((await kinds()).sort()).toEqual(['message', 'title']);
	await renameSessionUnfenced(db, 's', '');
	expect(await kinds()).toEqual(['message']);
});

it('[E5] what is redacted while segments are merged is gone', async () => {
	const db = openDatabase();
	const { index, indexer } = new Reader(db);
	await indexer.catchUp();
	const ids: string[] = [];
	for (let round = 0; round < 3; round++) {
		ids.push(...(await say(db, ['a plover', 'plovers'])));
		await indexer.catchUp(true);
	}
	ids.push(...(await say(db, ['plover'])));
	const dropped: number[] = [];
	const { commit } = index.store;
	index.store.commit = (step) => {
		dropped.push(step.dropped.length);
		return commit.call(index.store, step);
	};
	const { merging } = onMerge(index, () => redact(db, ids[0]!, 5000, unfenced));
	await indexer.catchUp(true);
	expect(merging()).toBe(true);
	expect(Math.max(...dropped)).toBeGreaterThan(1);
	expect((await index.search('plover', { limit: 200 })).total).toBe(ids.length - 1);
	expect((await new Reader(db).index.search('plover', { limit: 200 })).total).toBe(ids.length - 1);
});

/** Everything that the stored index has of texts: the terms, and the names of notes. */
async function storedWords(db: Database): Promise<string[]> {
	const { state, store } = new SearchIndex(db, atOnce);
	await state.load(await store.manifest());
	const terms = state.segments.flatMap(({ segment }) => segment.withPrefix('').map(({ term }) => term));
	const keys = await Promise.all(state.segments.map(({ segment }) => segment.keys(Array.from({ length: segment.columns.length }, (_, at) => at))));
	return [...terms, ...keys.flat()];
}

/** A database with many segments' worth of words, and a chat among them, all of it in the index. */
async function withSecret() {
	const db = openDatabase();
	const sizes: Sizes = { tail: 1024, idleTail: 128, idleChanges: 512, page: 50, segment: 100 };
	await say(db, ['curlew', 'a plover', 'curlews'], { id: 'secret', title: 'Plovers' });
	await new Scratchpad(db).set('secret', 'godwit', 'plover', 1000);
	await say(db, Array.from({ length: 150 }, (_, at) => `a heron ${at}`), { id: 'other', title: 'Herons' });
	const reader = new Reader(db, sizes);
	await reader.work(true);
	const secrets = async () => [...new Set(await storedWords(db))].filter((word) => /plover|curlew|godwit/.test(word)).sort();
	expect(await secrets()).toEqual(expect.arrayContaining(['plover', 'curlew', 's/secret/note/godwit']));
	return { db, reader, secrets, restarted: () => new Reader(db, sizes) };
}

describe('[A14] no word stays in the index', () => {
	it('of a chat that is gone for good, once there is nothing else to do; of one that can come back all do', async () => {
		const { db, reader, secrets } = await withSecret();
		const before = await secrets();
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['secret'], 5000);
		await reader.work(true);
		expect(await secrets()).toEqual(before);
		await trash.restoreUnfenced(['secret']);
		await reader.work(true);
		expect((await reader.index.search('plover')).total).toBeGreaterThan(0);
		await trash.deleteSessionsUnfenced(['secret'], 5000);
		await trash.purgeUnfenced(1_000_000);
		await reader.work();
		expect(await secrets()).toEqual(before);
		await reader.work(true);
		expect(await secrets()).toEqual([]);
		expect((await reader.index.search('heron', { limit: 0 })).total).toBe(151);
	});

	it('of a chat that went, where the page was closed before it was rewritten, or while it was', async () => {
		const { db, reader, secrets, restarted } = await withSecret();
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['secret'], 5000);
		await trash.purgeUnfenced(1_000_000);
		await reader.work();
		const committing = Promise.withResolvers<void>();
		reader.index.store.commit = () => {
			committing.resolve();
			return new Promise(() => undefined);
		};
		void reader.work(true);
		await committing.promise;
		expect(await secrets()).not.toEqual([]);
		const next = restarted();
		await next.work(true);
		expect(await secrets()).toEqual([]);
		expect((await next.index.search('heron', { limit: 0 })).total).toBe(151);
		await expectInStep(next, ['heron ', 'plover ', 'herons']);
	});

	it('of a text that was erased, a branch that went and a note that was removed', async () => {
		const { db, reader, secrets } = await withSecret();
		const [first, , last] = await new Messages(db).all('secret').then((rows) => rows.filter(({ role }) => role === 'user'));
		await redact(db, first!.id, 5000, unfenced);
		await new Trees(db).removeBranch('secret', last!.id, 5000, unfenced);
		await new Scratchpad(db).remove('secret', 'godwit', 5000);
		await reader.work(true);
		// One message says it still, and the title.
		expect(await secrets()).toEqual(['plover']);
		await expectInStep(reader, ['plover ', 'curlew ', 'heron ']);
	});

	it('of anything, when everything is gone', async () => {
		const { db, reader } = await withSecret();
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced(['secret', 'other'], 5000);
		await trash.purgeUnfenced(1_000_000);
		await reader.work(true);
		expect(await storedWords(db)).toEqual([]);
		expect(await db.segments.count()).toBe(0);
	});
});

/** Does something once, when postings are read: without a search, only a merge does that, after it has looked at what is deleted. */
function onMerge({ state }: SearchIndex, work: () => Promise<unknown>) {
	let done = false;
	for (const { segment } of state.segments) {
		const { read } = segment.reader;
		segment.reader.read = async (kind, numbers) => {
			const blocks = await read.call(segment.reader, kind, numbers);
			if (!done && kind === 'postings') {
				done = true;
				await work();
			}
			return blocks;
		};
	}
	return { merging: () => done };
}

describe('[E7] a search', () => {
	it('finds a message as soon as it is committed, in every worker', async () => {
		const db = openDatabase();
		const [leader, other] = [new Reader(db), new Reader(db)];
		await leader.indexer.catchUp();
		const [id] = await say(db, ['a kingfisher at the river']);
		for (const { index } of [leader, other]) expect((await index.search('kingfisher')).hits.map(({ id }) => id)).toEqual([id]);
	});

	it('before there is an index says how far it is, and with `whole` waits for it', async () => {
		const db = openDatabase();
		const [id] = await say(db, ['a kingfisher']);
		const { index, indexer } = new Reader(db);
		expect(await index.search('kingfisher')).toMatchObject({ hits: [], progress: { done: 0, total: 0 } });
		const waiting = new Reader(db).index.search('kingfisher', { whole: true });
		await indexer.catchUp();
		expect((await waiting).hits.map(({ id }) => id)).toEqual([id]);
		expect((await index.search('kingfisher')).progress).toBeUndefined();
	});

	it('of a phrase finds those words at consecutive positions only, and leaves a phrase out', async () => {
		const db = openDatabase();
		const [inRow] = await say(db, ['the red kite flies', 'a kite that is red', 'red paper, no kite flies here']);
		const { index, indexer } = new Reader(db);
		await indexer.catchUp();
		const found = await index.search('"red kite"');
		expect(found.hits.map(({ id }) => id)).toEqual([inRow]);
		expect(found.total).toBe(1);
		expect((await index.search('kite -"red kite"')).total).toBe(2);
	});

	it('forgives a typo, and says what it took instead', async () => {
		const db = openDatabase();
		await say(db, ['We receive letters', 'Nothing else']);
		const { index, indexer } = new Reader(db);
		await indexer.catchUp();
		const found = await index.search('recieve letters');
		expect(found.total).toBe(1);
		expect(found.corrections).toEqual([{ word: 'recieve', to: ['receive'] }]);
		expect(found.typos).toEqual([{ word: 'recieve', terms: ['receive'].map(processTerm) }]);
		expect((await index.search('receive letters')).corrections).toEqual([]);
		expect((await index.search('recieve letters recieve')).corrections).toEqual(found.corrections);
		const { hits } = found;
		expect(hits[0]!.snippet.marks.map(([from, to]) => hits[0]!.snippet.text.slice(from, to))).toEqual(['receive', 'letters']);
	});

	it('can be narrowed down, ordered and read page by page', async () => {
		const db = openDatabase();
		const texts = Array.from({ length: 30 }, (_, index) => `heron ${'and '.repeat(index % 7)}`);
		const ids = await say(db, texts, { id: 'here', workspace: 'home' });
		await say(db, ['heron abroad'], { id: 'there', workspace: 'away', title: 'Heron watch' });
		await append(db, { session: 'there', fence: unfenced, messages: [newMessage('assistant', 'A heron.\n\n```js\nheron()\n```', { model: 'tiny', createdAt: 99_000 })] });
		const { index, indexer } = new Reader(db);
		await indexer.catchUp();
		const total = async (options: SearchOptions) => (await index.search('heron', options)).total;
		expect(await total({})).toBe(33);
		expect(await total({ sessionId: 'here' })).toBe(30);
		expect(await total({ workspace: 'away' })).toBe(3);
		expect(await total({ workspace: 'nowhere' })).toBe(0);
		expect(await total({ kind: 'title' })).toBe(1);
		expect(await total({ role: 'assistant' })).toBe(1);
		expect(await total({ model: 'tiny' })).toBe(1);
		expect(await total({ model: 'other' })).toBe(0);
		expect(await total({ hasCode: true })).toBe(1);
		expect(await total({ from: 2000, to: 4000 })).toBe(3);
		const newest = await index.search('heron', { sessionId: 'here', order: 'newest', limit: 3, offset: 1 });
		expect(newest.hits.map(({ id }) => id)).toEqual([ids[28], ids[27], ids[26]]);
		const inPlace = await index.search('heron', { sessionId: 'here', order: 'place', limit: 2 });
		expect(inPlace.hits.map(({ id }) => id)).toEqual([ids[0], ids[1]]);
		const pages = await Promise.all([0, 10, 20, 30].map((offset) => index.search('heron', { limit: 10, offset })));
		const all = pages.flatMap(({ hits }) => hits.map(({ id, score }) => ({ id, score })));
		expect(new Set(all.map(({ id }) => id)).size).toBe(33);
		expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a));
		expect(pages[0]!.models).toEqual(['tiny']);
	});

	it('answers hostile queries, or refuses them in a sentence', async () => {
		const db = openDatabase();
		await say(db, ['(a+)+$ and \ud800 and ordinary words']);
		const { index, indexer } = new Reader(db);
		await indexer.catchUp();
		expect((await index.search('x'.repeat(100_000))).refused).toMatch(/characters/);
		expect((await index.search('(a+)+$ ')).total).toBe(1);
		expect((await index.search('\ud800 ordinary')).total).toBe(1);
		expect((await index.search('.*')).total).toBe(0);
		expect((await index.search('   ')).total).toBe(0);
		expect((await index.search('ordinary', { limit: -3, offset: -1 })).hits).toEqual([]);
	});

	it('indexes a message of 5 MB without holding up other searches', async () => {
		const db = openDatabase();
		await say(db, ['small wren']);
		const index = new SearchIndex(db, createPause());
		const indexer = new Indexer(index, { locks: navigator.locks, newId });
		await indexer.catchUp();
		await say(db, [`${'lorem ipsum dolor '.repeat(290_000)} needle`]);
		let longest = 0;
		let last = performance.now();
		const beat = setInterval(() => {
			longest = Math.max(longest, performance.now() - last);
			last = performance.now();
		}, 1);
		expect((await index.search('needle')).total).toBe(1);
		clearInterval(beat);
		console.log(`[E7] 5 MB: the worker was busy for ${longest.toFixed(0)} ms at most at a time`);
		expect((await index.search('needle')).hits[0]!.snippet.text).toContain('needle');
	}, 60_000);
});

describe('[E5] typing in a note', () => {
	const defaultSizes: Sizes = { tail: 1024, idleTail: 128, idleChanges: 512, page: 1000, segment: 8192 };

	/** A session with 20 notes, and another with `others`, all in the index, and a way to type in one of the 20. */
	async function session(sizes = defaultSizes, others = 0) {
		const db = openDatabase();
		const notes = new Scratchpad(db);
		await say(db, ['an avocet'], { id: 's', title: 'Birds' });
		await say(db, ['a bustard'], { id: 't', title: 'More birds' });
		for (let index = 0; index < others; index++) await notes.set('t', `note ${index}`, 'a crane', 1000);
		for (let index = 0; index < 20; index++) await notes.set('s', `note ${index}`, 'an egret', 1000);
		const reader = new Reader(db, sizes);
		await reader.indexer.catchUp();
		const type = async (content: string) => {
			await notes.set('s', 'note 7', content, 2000);
			await reader.indexer.catchUp();
		};
		return { ...reader, type };
	}

	it('indexes that note again, and nothing else of its session', async () => {
		const { index, type } = await session();
		await type('an egret a');
		const added: string[] = [];
		const deleted: string[] = [];
		const { add, deleteDocument } = index.state;
		index.state.add = (document, terms) => {
			added.push(document.key);
			add.call(index.state, document, terms);
		};
		index.state.deleteDocument = (key) => {
			deleted.push(key);
			return deleteDocument.call(index.state, key);
		};
		await type('an egret an');
		await type('an egret and');
		expect(added).toEqual(['s/s/note/note 7', 's/s/note/note 7']);
		expect(new Set(deleted)).toEqual(new Set(['s/s/note/note 7']));
		expect((await index.search('egret', { limit: 200 })).total).toBe(20);
	});

	it('writes the index once for many keys, and drops the changes with that', async () => {
		const { db, index, type } = await session({ ...defaultSizes, tail: 50 });
		const { commits } = (await index.store.manifest())!;
		for (let key = 0; key < 240; key++) {
			await type(`an egret ${'x'.repeat(key)}`);
			expect(await db.changes.count()).toBeLessThan(50);
		}
		// As often as 50 changes came, and a merge of what that made.
		expect((await index.store.manifest())!.commits - commits).toBeLessThanOrEqual(6);
		expect((await index.search('egret', { limit: 200 })).total).toBe(20);
	});

	it('takes no more memory with each key', async () => {
		// So many that what is typed in is a small part of its segment, which then stays as it is.
		const { index, type } = await session(defaultSizes, 40);
		const long = Array.from({ length: 5000 }, (_, at) => `word${at}`).join(' ');
		for (let key = 0; key < 60; key++) await type(`${long} ${'x'.repeat(key)}`);
		const lists = [...index.state.tail.terms.values()];
		const numbers = lists.reduce((sum, { postings, positions }) => sum + postings.length + positions.length, 0);
		expect(numbers).toBeLessThan(200_000);
		expect((await index.search(`word4999 ${'x'.repeat(59)}`)).total).toBe(1);
	});
});

describe('[E5] one worker is the leader', () => {
	it('and another goes on when it ends', async () => {
		const db = openDatabase();
		const names: string[] = [];
		/** A lock manager as a worker has it, which can be ended. */
		const workerLocks = () => {
			const ended = new AbortController();
			const request = (name: string, work: () => Promise<unknown>) => {
				names.push(name);
				return navigator.locks.request(`${db.name} ${name}`, () =>
					Promise.race([work(), new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()))])
				);
			};
			return { locks: { request } as unknown as LockManager, end: () => ended.abort() };
		};
		const [first, second] = [workerLocks(), workerLocks()];
		const indexes = [first, second].map(({ locks }) => {
			const index = new SearchIndex(db, atOnce);
			void new Indexer(index, { locks, newId }, small).runAsLeader();
			return index;
		});
		await say(db, ['one stork', 'two storks', 'three storks', 'four storks']);
		await expect.poll(async () => (await indexes[0]!.store.progress())?.whole).toBe(true);
		const { commits } = (await indexes[0]!.store.manifest())!;
		expect(indexes[1]!.state.manifest).toBeUndefined();
		expect((await indexes[1]!.search('stork')).total).toBe(4);
		first.end();
		await say(db, ['five storks', 'six storks', 'seven storks', 'eight storks']);
		await expect.poll(async () => (await indexes[1]!.store.manifest())!.commits).toBeGreaterThan(commits);
		expect((await indexes[1]!.search('stork', { limit: 200 })).total).toBe(8);
		expect(names).toEqual(['search-index', 'search-index']);
		second.end();
	});

	it('and a search goes on where another worker merges what it is reading', async () => {
		const db = openDatabase();
		const leader = new Reader(db);
		await leader.indexer.catchUp();
		const other = new Reader(db);
		for (let round = 0; round < 4; round++) {
			await say(db, ['a bittern', 'bitterns', 'no birds', 'two bitterns']);
			if (round < 3) await leader.indexer.catchUp(true);
			if (round === 2) expect((await other.index.search('bittern')).total).toBe(9);
		}
		// Its blocks are read when they are wanted, from segments that are gone by then.
		const reader = new Reader(db);
		await reader.index.exclusively(() => reader.index.refresh());
		const { blocks } = countReads(reader);
		await leader.indexer.catchUp(true);
		expect((await reader.index.search('bittern')).total).toBe(12);
		expect(blocks()).toBeGreaterThan(0);
	});
});

function countReads({ index }: Reader) {
	let count = 0;
	const { open } = index.store;
	index.store.open = (...args) => {
		count++;
		return open.apply(index.store, args);
	};
	return { blocks: () => count };
}

it('[E5] rebuilds the index of another format that version 6 made', async () => {
	const name = `test ${newId()}`;
	await writeDatabase(version6 as Written, name);
	const db = new Database(name);
	onTestFinished(() => db.delete());
	const old = version6.rows.searchState[0]!.index;
	const reader = new Reader(db);
	await reader.work();
	const rebuilt = reader.index.state.manifest!.index;
	expect(rebuilt).not.toBe(old);
	for (let round = 0; round < 2; round++) {
		await expectInStep(reader, ['bread', 'sourdough ', 'marzipan', 'sorrel', 'renamed', 'salt', 'oven ']);
		expect(reader.index.state.manifest!.index).toBe(rebuilt);
		await reader.work(true);
	}
	expect(await db.changes.count()).toBe(0);
	expect(await db.changeCursors.toArray()).toEqual([{ reader: 'search', seq: 9 }]);
});
