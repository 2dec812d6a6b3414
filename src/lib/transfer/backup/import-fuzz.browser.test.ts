import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { contentOf, newBoundary, newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { AppError } from '../../shared/app-error';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Attachments } from '../../storage/attachments';
import { Boundaries } from '../../storage/boundaries';
import { Contexts } from '../../storage/contexts';
import type { Database } from '../../storage/database';
import { Drafts } from '../../storage/drafts';
import { examine, quarantineLines, rawData } from '../../storage/examine';
import { Messages } from '../../storage/messages';
import { Providers } from '../../storage/providers';
import { openAsItIs, settled } from '../../storage/raw-database';
import { redact } from '../../storage/redact';
import { Scratchpad } from '../../storage/scratchpad';
import { Sessions } from '../../storage/sessions';
import { setAside } from '../../storage/set-aside';
import { Settings } from '../../storage/settings';
import { Trash } from '../../storage/trash';
import { Trees } from '../../storage/trees';
import { createBackup } from './create';
import { inspectBackup, restoreBackup } from './restore';

// `npm run soak -- import` asks for more, and may name a seed.
const env = import.meta.env as Record<string, string | undefined>;
const numRuns = Number(env.SNUG_IMPORTS || 150);
const seed = Number(env.SNUG_SEED || Date.now() % 1_000_000);
const now = 1_700_000_000_000;
const timeout = 120_000 + numRuns * 3000;

/** A session with something in every table. */
async function fill(db: Database): Promise<string> {
	const id = newId();
	const content = new Blob(['In the file'], { type: 'text/plain' });
	const attachmentId = bytesToHex(sha256(new TextEncoder().encode('In the file')));
	await new Attachments(db).put({ id: attachmentId, mediaType: 'text/plain', bytes: 11, content, createdAt: now });
	const question = newMessage('user', 'question');
	const part = { type: 'file' as const, attachmentId, mediaType: 'text/plain', name: 'notes.txt' };
	const [, , answer] = await append(db, {
		session: newSession({ id, key: `web:home:${now}` }),
		messages: [newMessage('system', ''), { ...question, parts: [...question.parts, part] }, newMessage('assistant', 'answer', { usage: { inputTokens: 3 } })],
		fileBytes: new Map([[attachmentId, 11]])
	});
	const [branch] = await append(db, { session: id, parentId: question.id, messages: [newMessage('assistant', 'other')] });
	const path = await new Messages(db).path(id, answer!.id);
	await append(db, { session: id, parentId: answer!.id, messages: [newMessage('user', 'more'), newMessage('assistant', 'end')] });
	await new Boundaries(db).add(newBoundary(path, { createdAt: now }));
	await new Trees(db).label(id, question.id, 'label');
	await new Trees(db).removeBranch(id, branch!.id, now);
	await redact(db, answer!.id, now);
	await new Scratchpad(db).set(id, 'note', 'text', now);
	await new Drafts(db).set(id, { text: 'unsent', attachments: [part] });
	await new Contexts(db).pin(id, question.id, true);
	const last = (await new Messages(db).path(id)).at(-1)!;
	await db.answers.put({ sessionId: id, messageId: newId(), parentId: last.id, text: 'half', reasoning: '', model: '', startedAt: now });
	return id;
}

const nasty = fc.oneof(
	fc.constantFrom<unknown>(null, true, -1, 0.5, 8.7e15, 1e300, '', '/x', '../..', '__proto__', '\ud800', 'javascript:alert(1)', [], {}, [[[[]]]], { $bytes: '!', mediaType: 7 }),
	fc.constant('x'.repeat(50_000)),
	fc.constant(Array.from({ length: 3000 }, (_, index) => index)),
	fc.jsonValue({ maxDepth: 3 }),
	fc.string()
);

interface Mutation {
	kind: 'replace' | 'remove' | 'swap' | 'copy' | 'move' | 'other id';
	line: number;
	path: number[];
	value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
	kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'swap', 'copy', 'move', 'other id'),
	line: fc.nat(1000),
	path: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
	value: nasty
});

type Line = { table: string; row: unknown };

/** Walks to a place in a row by numbers, and has `change` done to what holds it. */
function at(row: unknown, path: number[], change: (holder: Record<string, unknown>, field: string) => void): void {
	let holder = row as Record<string, unknown>;
	for (const [index, step] of path.entries()) {
		const fields = Object.keys(holder);
		if (fields.length === 0) return;
		const field = fields[step % fields.length]!;
		const inner = holder[field];
		if (index === path.length - 1 || typeof inner !== 'object' || inner === null) return change(holder, field);
		holder = inner as Record<string, unknown>;
	}
}

function mutated(lines: Line[], mutations: Mutation[], ids: string[]): Line[] {
	let all = structuredClone(lines);
	for (const { kind, line, path, value } of mutations) {
		const index = line % all.length;
		const { row } = all[index]!;
		if (kind === 'replace') at(row, path, (holder, field) => (holder[field] = value));
		else if (kind === 'remove') at(row, path, (holder, field) => delete holder[field]);
		else if (kind === 'other id') at(row, path, (holder, field) => (holder[field] = ids[line % ids.length]));
		else if (kind === 'copy') all.splice(index, 0, structuredClone(all[index]!));
		else if (kind === 'move') all.push(...all.splice(index, 1));
		else all = all.toReversed();
	}
	return all;
}

async function sealed(header: unknown, lines: Line[]): Promise<Blob> {
	const body = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
	const counts: Record<string, number> = {};
	for (const { table } of lines) counts[table] = (counts[table] ?? 0) + 1;
	const end = { end: true, counts, sha256: bytesToHex(sha256(new TextEncoder().encode(body))) };
	return new Response(new Blob([body, `${JSON.stringify(end)}\n`]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

/** The longest time for which nothing else could run, in milliseconds, so far. */
function watchStalls(): () => number {
	let last = performance.now();
	let longest = 0;
	const timer = setInterval(() => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	}, 10);
	onTestFinished(() => clearInterval(timer));
	return () => longest;
}

it(`[P8] no file changes what was not accepted, or leaves a row that can not be read (seed ${seed})`, { timeout }, async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	await fill(from);
	const deleted = await fill(from);
	await new Trash(from).deleteSessions([deleted], now);
	await new Settings(from).set('systemPrompt', 'theirs');
	await new Providers(from).put({ id: newId(), name: 'Theirs', baseUrl: 'https://theirs.example/v1', createdAt: now });
	await from.quarantine.put({ id: newId(), table: 'messages', key: [1], row: { odd: true }, reason: 'odd', at: now });
	const { file } = await createBackup(from, { now });
	const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
	const [header, ...lines] = text.trim().split('\n').slice(0, -1).map((line) => JSON.parse(line) as Line);

	const mine = await fill(to);
	await new Settings(to).set('systemPrompt', 'mine');
	await new Providers(to).put({ id: newId(), name: 'Mine', baseUrl: 'https://mine.example/v1', createdAt: now }, 'my key');
	const ids = [mine, ...(await new Messages(to).all(mine)).map(({ id }) => id)];
	const own = async () => {
		const { settings, providers, secrets } = await contentOf(to);
		return [settings, providers, secrets, await to.sessions.get(mine), await new Messages(to).all(mine), await to.trees.get(mine), await to.drafts.get(mine)];
	};
	const before = await own();
	const longestStall = watchStalls();

	await fc.assert(
		fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 8 }), async (mutations) => {
			const hostile = await sealed(header, mutated(lines, mutations, ids));
			try {
				const { leftOut } = await restoreBackup(to, hostile, { now });
				for (const { reason, count } of leftOut) expect([reason, count]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.any(Number)]);
			} catch (error) {
				expect(error).toBeInstanceOf(AppError);
			}
			await new Trash(to).purge(now);
			const raw = (await openAsItIs(indexedDB, to.name))!;
			const { unfit, unsound } = await examine(raw).finally(() => raw.close());
			expect({ unfit, unsound }).toEqual({ unfit: [], unsound: [] });
			expect(await own()).toEqual(before);
		}),
		{ numRuns, seed, endOnFailure: true }
	);
	expect(longestStall()).toBeLessThan(3000);
});

it(`[P8] bytes that were changed anywhere are refused in a sentence (seed ${seed})`, { timeout }, async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	await fill(from);
	const { file } = await createBackup(from, { now });
	const unpacked = new Uint8Array(await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
	await fc.assert(
		fc.asyncProperty(fc.nat(unpacked.length - 1), fc.uint8Array({ minLength: 1, maxLength: 9 }), async (place, bytes) => {
			const hostile = unpacked.slice();
			hostile.set(bytes.subarray(0, hostile.length - place), place);
			const failure: unknown = await inspectBackup(to, new Blob([hostile])).then(() => undefined, (error: unknown) => error);
			if (failure) expect(failure).toBeInstanceOf(AppError);
			else expect(hostile).toEqual(unpacked);
		}),
		{ numRuns, seed }
	);
});

it(`[R6] the repair page can look at any row, give it away and set it aside (seed ${seed})`, { timeout }, async () => {
	const db = openDatabase();
	await fill(db);
	const tables = ['sessions', 'messages', 'trees', 'drafts', 'boundaries', 'trash', 'quarantine', 'settings', 'providers', 'attachments', 'contexts'] as const;
	const cyclic: Record<string, unknown> = {};
	cyclic.self = cyclic;
	const strange = fc.oneof(
		nasty,
		fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true, maxDepth: 3 }),
		fc.constantFrom<unknown>(cyclic, NaN, -Infinity, new Date(NaN), new Blob(['x']), /x/)
	);
	const key = fc.oneof(fc.string(), fc.integer(), fc.constantFrom<unknown>('/x', '', new Date(0), [1, 'a'], '1,a'));
	const row = fc.record({ fields: fc.dictionary(fc.constantFrom('table', 'row', 'at', 'key', 'reason', 'parts', 'parentId', 'tips', 'removed', 'kind', 'session', 'title', 'value', 'purgeAt', 'updatedAt', 'content'), strange), key, depth: key });
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...tables), row, async (table, { fields, key, depth }) => {
			const raw = (await openAsItIs(indexedDB, db.name))!;
			const broken = { ...fields, id: key, sessionId: key, name: key, depth };
			try {
				const transaction = raw.transaction(table, 'readwrite');
				await settled(transaction.objectStore(table).put(broken)).catch((error: unknown) => {
					// No such key, or one that is taken: nothing that a table can hold.
					if (!(error instanceof DOMException)) throw error;
				});
			} catch (error) {
				if (!(error instanceof DOMException)) throw error;
			}
			try {
				const { unfit, quarantined } = await examine(raw);
				await rawData(raw);
				await quarantineLines(quarantined);
				for (const row of unfit) await setAside(db, row, () => now);
				expect((await examine(raw)).unfit).toEqual([]);
				await new Sessions(db).list();
			} finally {
				raw.close();
			}
		}),
		{ numRuns: Math.ceil(numRuns / 3), seed, endOnFailure: true }
	);
});
