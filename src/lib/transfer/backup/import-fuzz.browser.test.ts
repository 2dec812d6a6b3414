import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import { contentOf, newBoundary, newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { maxStallMs } from '../../../../tests/fixtures/max-stall';
import { at, nasty, numRuns, place, seed, stallOf } from '../../../../tests/fixtures/mutations';
import { AppError } from '../../shared/app-error';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Attachments } from '../../storage/attachments';
import { Boundaries } from '../../storage/boundaries';
import { Contexts } from '../../storage/contexts';
import type { Database } from '../../storage/database';
import { Drafts } from '../../storage/drafts';
import { examine, quarantineLines, rawData } from '../../storage/examine';
import { unfenced } from '../../storage/fence';
import { Messages } from '../../storage/messages';
import { Providers } from '../../storage/providers';
import { openAsItIs } from '../../storage/raw-database';
import { settled } from '../../storage/raw-rows';
import { redact } from '../../storage/redact';
import { Scratchpad } from '../../storage/scratchpad';
import { Sessions } from '../../storage/sessions';
import { quarantineUnfenced } from '../../storage/quarantine';
import { Settings } from '../../storage/settings';
import { Trash } from '../../storage/trash';
import { Trees } from '../../storage/trees';
import { createBackup } from './create';
import { importFile, inspectFile } from '../imports/import-file';

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
	const [branch] = await append(db, { session: id, fence: unfenced, parentId: question.id, messages: [newMessage('assistant', 'other')] });
	const path = await new Messages(db).path(id, answer!.id);
	await append(db, { session: id, fence: unfenced, parentId: answer!.id, messages: [newMessage('user', 'more'), newMessage('assistant', 'end')] });
	await new Boundaries(db).add(newBoundary(path, { createdAt: now }), unfenced);
	await new Trees(db).label(id, question.id, 'label', unfenced);
	await new Trees(db).removeBranch(id, branch!.id, now, unfenced);
	await redact(db, answer!.id, now, unfenced);
	await new Scratchpad(db).set(id, 'note', 'text', now);
	await new Drafts(db).set(id, { text: 'unsent', attachments: [part] }, unfenced);
	await new Contexts(db).pin(id, question.id, true, unfenced);
	const last = (await new Messages(db).path(id)).at(-1)!;
	await db.answers.put({ sessionId: id, messageId: newId(), parentId: last.id, parts: spoken('half'), model: '', startedAt: now });
	return id;
}

interface Mutation {
	kind: 'replace' | 'remove' | 'swap' | 'copy' | 'move' | 'other id';
	line: number;
	path: number[];
	value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
	kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'swap', 'copy', 'move', 'other id'),
	line: fc.nat(1000),
	path: place,
	value: nasty
});

type Line = { table: string; row: unknown };

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

/** The lines of a backup but its last. */
async function linesOf(db: Database): Promise<Line[]> {
	const { file } = await createBackup(db, { now });
	const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
	return text.trim().split('\n').slice(0, -1).map((line) => JSON.parse(line) as Line);
}

async function sealed(header: unknown, lines: Line[], change: (end: object) => void = () => undefined): Promise<Blob> {
	const body = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
	const counts: Record<string, number> = {};
	for (const { table } of lines) counts[table] = (counts[table] ?? 0) + 1;
	const end = { end: true, counts, sha256: bytesToHex(sha256(new TextEncoder().encode(body))) };
	change(end);
	return new Response(new Blob([body, `${JSON.stringify(end)}\n`]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

it(`[P8] no file changes what was not accepted, or leaves a row that can not be read (seed ${seed})`, { timeout }, async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	await fill(from);
	const deleted = await fill(from);
	await new Trash(from).deleteSessionsUnfenced([deleted], now);
	await new Settings(from).set('systemPrompt', 'theirs');
	await new Providers(from).put({ id: newId(), name: 'Theirs', baseUrl: 'https://theirs.example/v1', createdAt: now });
	await from.quarantine.put({ id: newId(), table: 'messages', key: [1], row: { odd: true }, reason: 'odd', at: now });
	const [header, ...lines] = await linesOf(from);

	const mine = await fill(to);
	await new Settings(to).set('systemPrompt', 'mine');
	await new Providers(to).put({ id: newId(), name: 'Mine', baseUrl: 'https://mine.example/v1', createdAt: now }, 'my key');
	const ids = [mine, ...(await new Messages(to).all(mine)).map(({ id }) => id)];
	const own = async () => {
		const { settings, providers, secrets } = await contentOf(to);
		return [settings, providers, secrets, await to.sessions.get(mine), await new Messages(to).all(mine), await to.trees.get(mine), await to.drafts.get(mine)];
	};
	const before = await own();

	await fc.assert(
		fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 8 }), async (mutations) => {
			const hostile = await sealed(header, mutated(lines, mutations, ids));
			const stall = await stallOf(async () => {
				try {
					const { leftOut } = await importFile(to, hostile, { now });
					for (const { reason, count } of leftOut) expect([reason, count]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.any(Number)]);
				} catch (error) {
					expect(error).toBeInstanceOf(AppError);
				}
				await new Trash(to).purgeUnfenced(now);
			});
			expect(stall).toBeLessThan(maxStallMs);
			const raw = (await openAsItIs(indexedDB, to.name))!;
			const { invalidRows, invalidSessions } = await examine(raw).finally(() => raw.close());
			expect({ invalidRows, invalidSessions }).toEqual({ invalidRows: [], invalidSessions: [] });
			expect(await own()).toEqual(before);
		}),
		{ numRuns, seed, endOnFailure: true }
	);
});

it(`[P8] a first or last line that was changed is refused in a sentence, or says nothing (seed ${seed})`, { timeout }, async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	await fill(from);
	const [header, ...lines] = await linesOf(from);
	const change = fc.record({ kind: fc.constantFrom('replace', 'remove'), path: place, value: nasty });
	const changed = (value: object, { kind, path, value: nasty }: { kind: string; path: number[]; value: unknown }) =>
		at(value, path, (holder, field) => (kind === 'replace' ? (holder[field] = nasty) : delete holder[field]));
	await fc.assert(
		fc.asyncProperty(fc.constantFrom('header', 'end'), fc.array(change, { minLength: 1, maxLength: 3 }), async (where, changes) => {
			const first = structuredClone(header) as object;
			if (where === 'header') for (const one of changes) changed(first, one);
			const hostile = await sealed(first, lines, (end) => where === 'end' && changes.forEach((one) => changed(end, one)));
			try {
				const { createdAt } = await inspectFile(to, hostile, { onProgress: (done, total) => expect([done, total].every(Number.isSafeInteger)).toBe(true) });
				expect(Number.isNaN(new Date(createdAt!).getTime())).toBe(false);
			} catch (error) {
				expect(error).toBeInstanceOf(AppError);
			}
		}),
		{ numRuns, seed, endOnFailure: true }
	);
});

it(`[P8] no file changes a chat that is here but by branches and notes beside (seed ${seed})`, { timeout }, async () => {
	const [here, there] = [openDatabase(), openDatabase()];
	const mine = await fill(here);
	await importFile(there, (await createBackup(here, { now })).file, { now });
	const [question, ...path] = (await new Messages(there).path(mine)).slice(1);
	await append(there, { session: mine, fence: unfenced, parentId: path.at(-1)!.id, messages: [newMessage('user', 'theirs'), newMessage('assistant', 'end')] });
	await append(there, { session: mine, fence: unfenced, parentId: question!.id, messages: [newMessage('assistant', 'a branch')] });
	await new Trees(there).label(mine, path[0]!.id, 'theirs', unfenced);
	await new Scratchpad(there).set(mine, 'note', 'theirs', now + 1);
	await new Drafts(there).set(mine, { text: 'their unsent', attachments: [] }, unfenced);
	await new Contexts(there).exclude(mine, path[0]!.id, true, unfenced);
	await new Sessions(there).updateUnfenced(mine, { title: 'Theirs', titledBy: 'user', pinned: 1 });
	const [header, ...lines] = await linesOf(there);
	const known = new Set((await here.messages.toArray()).map(({ id }) => id));
	const ends = (await here.trees.get(mine))!.tips.map(({ id }) => id);
	const own = async () => {
		// A branch that was deleted here may come back.
		const { tips, labels, removed: _, ...tree } = (await here.trees.get(mine))!;
		return {
			session: { ...(await here.sessions.get(mine))!, messageCount: 0, bytes: 0 },
			tree: { ...tree, labels: Object.fromEntries(Object.entries(labels).filter(([id]) => known.has(id))), tips: tips.filter(({ id }) => ends.includes(id)) },
			path: await new Messages(here).path(mine),
			rows: [await here.drafts.get(mine), await here.answers.get(mine), await here.contexts.get(mine), await here.boundaries.toArray()],
			notes: (await new Scratchpad(here).list(mine)).filter(({ name }) => !name.startsWith('From a backup'))
		};
	};
	const before = await own();
	let added = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(mutation, { maxLength: 6 }), async (mutations) => {
			try {
				added += (await importFile(here, await sealed(header, mutated(lines, mutations, [...known])), { now })).messages.added;
			} catch (error) {
				expect(error).toBeInstanceOf(AppError);
			}
			expect(await own()).toEqual(before);
		}),
		{ numRuns: Math.ceil(numRuns / 2), seed, endOnFailure: true }
	);
	expect(added).toBeGreaterThan(0);
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
			const failure: unknown = await inspectFile(to, new Blob([hostile])).then(() => undefined, (error: unknown) => error);
			if (failure) expect(failure).toBeInstanceOf(AppError);
			else expect(hostile).toEqual(unpacked);
		}),
		{ numRuns, seed }
	);
});

it(`[R6] the repair page can look at any row, give it away and quarantine it (seed ${seed})`, { timeout }, async () => {
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
			// All of them are looked at in each run.
			if ((await db.quarantine.count()) > 50) await db.quarantine.clear();
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
				const { invalidRows, quarantined } = await examine(raw);
				await rawData(raw);
				await quarantineLines(quarantined);
				for (const row of invalidRows) await quarantineUnfenced(db, row, () => now);
				expect((await examine(raw)).invalidRows).toEqual([]);
				await new Sessions(db).list();
			} finally {
				raw.close();
			}
		}),
		{ numRuns: Math.ceil(numRuns / 3), seed, endOnFailure: true }
	);
});
