import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import { contentOf, newBoundary, newMessage, newPicture, newSession, openDatabase } from '../../../../tests/fixtures/database';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import { faultsOf } from '../../conversation/tree-faults';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Attachments } from '../../storage/attachments';
import { Boundaries } from '../../storage/boundaries';
import { Calibrations } from '../../storage/calibrations';
import { Changes } from '../../storage/changes';
import { Contexts } from '../../storage/contexts';
import { databaseVersion, type Database } from '../../storage/database';
import { Drafts } from '../../storage/drafts';
import { unfenced } from '../../storage/fence';
import { Messages } from '../../storage/messages';
import { Providers } from '../../storage/providers';
import { redact } from '../../storage/redact';
import { Scratchpad } from '../../storage/scratchpad';
import { SessionSettings } from '../../storage/session-settings';
import { Sessions } from '../../storage/sessions';
import { Settings } from '../../storage/settings';
import { Trash } from '../../storage/trash';
import { Trees } from '../../storage/trees';
import { TurnStore } from '../../storage/turn-store';
import { createBackup, saveBackup } from './create';
import { backupIsDue } from './due';
import { backupName, backupTables, settingsOfOneBrowser } from './format';
import { importFile, inspectFile } from '../imports/import-file';
import { acceptOffers } from '../imports/offers';

const now = 1_700_000_000_000;

/** All rows, with the bytes of files as text, without what a backup leaves out. */
async function rowsOf(db: Database): Promise<Record<string, unknown[]>> {
	const { models: _, calibrations: __, ...tables } = await contentOf(db);
	// Each profile counts its own fence.
	const positions = (await db.positions.toArray()).map(({ fence: _, ...position }) => position);
	const settings = (await db.settings.toArray()).filter(({ name }) => !settingsOfOneBrowser.has(name));
	const attachments = await Promise.all(
		(await db.attachments.toArray()).map(async ({ content, thumbnail, ...row }) => ({
			...row,
			content: [content.type, await content.text()],
			thumbnail: thumbnail && [thumbnail.type, await thumbnail.text()]
		}))
	);
	// What is deleted in a file is kept for a whole period from the restore on.
	const trash = (await db.trash.toArray()).map(({ purgeAt: _, ...item }) => item);
	return { ...tables, positions, trash, settings, attachments };
}

/** Restores a backup with all that it offers. */
async function restoreAll(db: Database, file: Blob): Promise<void> {
	const { offers } = await importFile(db, file, { now });
	await acceptOffers(db, offers);
}

/** A UUID that stands for a word. */
const idOf = (word: string) => `01900000-0000-7000-8000-${bytesToHex(new TextEncoder().encode(word)).padStart(12, '0').slice(-12)}`;

/** A file as a message has it: an image with a thumbnail. */
async function attach(db: Database, name: string) {
	const content = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255]), name], { type: 'image/png' });
	const thumbnail = await newPicture(32, 20, 'image/webp');
	const id = bytesToHex(sha256(new Uint8Array(await content.arrayBuffer())));
	await new Attachments(db).put({ id, mediaType: 'image/png', bytes: content.size, content, thumbnail, createdAt: now });
	return { part: { type: 'file' as const, attachmentId: id, mediaType: 'image/png', name: `${name}.png` }, fileBytes: new Map([[id, content.size]]) };
}

/** Does `steps` of what people do, each chosen by numbers. */
async function live(db: Database, steps: { what: number; which: number }[]): Promise<void> {
	let time = now - 1000;
	for (const { what, which } of steps) {
		time++;
		const all = await db.sessions.toCollection().primaryKeys();
		const session = all[which % all.length];
		if (what < 3 || session === undefined) {
			const row = newSession({ key: `web:home:${time}`, createdAt: time });
			await append(db, { session: row, messages: [newMessage('system', ''), newMessage('user', `Ünïcode \n ${time}`, { createdAt: time })] });
			continue;
		}
		const rows = await new Messages(db).all(session);
		const message = rows[which % rows.length]!;
		if (what < 8) {
			const usage = { inputTokens: which % 100, costUsd: 0.5 };
			const answer = newMessage('assistant', `answer ${which}`, { createdAt: time, usage, finishReason: 'stop' });
			await append(db, { session, fence: unfenced, parentId: what < 6 ? message.id : rows.at(-1)!.id, messages: [answer] });
		} else if (what === 8) await new Trees(db).label(session, message.id, `label ${which}`, unfenced);
		else if (what === 9) await new Scratchpad(db).set(session, `note ${which % 3}`, 'text', time);
		else if (what === 10) {
			const edits = which % 3 === 0 ? {} : { [message.id]: `edit ${which}` };
			await new Drafts(db).set(session, { text: which % 2 === 0 ? 'unsent' : '', attachments: [], edits }, unfenced);
		} else if (what === 11) {
			const { part, fileBytes } = await attach(db, `file ${which % 3}`);
			const sent = newMessage('user', 'see', { createdAt: time });
			await append(db, { session, fence: unfenced, messages: [{ ...sent, parts: [...sent.parts, part] }], fileBytes });
		} else if (what === 12 && message.depth > 0) await new Trees(db).removeBranch(session, message.id, time, unfenced);
		else if (what === 13 && !message.parts.some(({ type }) => type === 'redacted')) await redact(db, message.id, time, unfenced);
		else if (what === 14) await new Trash(db).deleteSessionsUnfenced([session], time, which);
		else if (what === 15) await new Sessions(db).updateUnfenced(session, { title: 'Mine', titledBy: 'user', pinned: 1 });
		else if (what === 16) await new Providers(db).put({ id: idOf(`p${which % 2}`), name: 'P', baseUrl: `http://p${which % 2}`, createdAt: time });
		else if (what === 17) await new Settings(db).set('systemPrompt', `prompt ${which}`);
		else if (what === 18) await db.quarantine.put({ id: idOf(`q${which}`), table: 'messages', key: [1], row: { odd: true }, reason: 'It was quarantined in a file already, and came from there.', at: time });
		else if (what === 19 && message.depth > 0) {
			const path = await new Messages(db).path(session, message.id);
			const usage = { inputTokens: which % 10 };
			// After whatever was redacted before, also by an earlier call.
			const excludes = (await new Contexts(db).get(session))?.excludes ?? [];
			const excluded = path.map(({ id }) => id).filter((id) => excludes.includes(id));
			await new Boundaries(db).add(newBoundary(path, { createdAt: now, usage, excluded }), unfenced);
		} else if (what === 20) {
			const contexts = new Contexts(db);
			if (which % 3 === 0) await contexts.setOverridesUnfenced(session, which % 2 ? { contextMessages: 5, contextWindows: { m: 4096 } } : {});
			else await contexts[which % 3 === 1 ? 'pin' : 'exclude'](session, message.id, which % 5 > 0, unfenced);
		} else if (what === 21) {
			await new Settings(db).set('contextByPersona', { chef: { strategy: 'summary', minRecent: 1 + (which % 9) } });
		} else if (what === 22) {
			await new SessionSettings(db).setParametersUnfenced(session, which % 3 === 0 ? {} : { temperature: (which % 21) / 10, stop: ['END'] });
		}
	}
}

const steps = fc.array(fc.record({ what: fc.nat(22), which: fc.nat(10_000) }), { maxLength: 40 });

const backup = async (db: Database) => (await createBackup(db, { now })).file;

const unpacked = (file: Blob) => new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
const packed = (text: BlobPart) => new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob();

/** The backup with other lines between its first and its last. */
async function rewritten(file: Blob, change: (lines: string[]) => string[]): Promise<Blob> {
	return packed(change((await unpacked(file)).split('\n')).join('\n'));
}

/** As `rewritten`, with a hash that fits. */
async function resealed(file: Blob, change: (lines: string[]) => string[], more: Record<string, number> = {}): Promise<Blob> {
	return rewritten(file, (lines) => {
		const rest = change(lines.slice(0, -2));
		const hash = bytesToHex(sha256(new TextEncoder().encode(rest.map((line) => `${line}\n`).join(''))));
		const end = JSON.parse(lines.at(-2)!) as { counts: Record<string, number> };
		return [...rest, JSON.stringify({ ...end, counts: { ...end.counts, ...more }, sha256: hash }), ''];
	});
}

describe('[P2] what was removed for good', () => {
	/** A session with a branch, a note and a compaction that are gone, beside one that is gone as a whole, and the backup of before. */
	async function world() {
		const db = openDatabase();
		const [session, other] = [idOf('s'), idOf('o')];
		const [root, question] = await append(db, { session: newSession({ id: session }), messages: [newMessage('system', ''), newMessage('user', 'Hello')] });
		const [branch] = await append(db, { session, fence: unfenced, parentId: root!.id, messages: [newMessage('user', 'Hello there')] });
		await append(db, { session: newSession({ id: other }), messages: [newMessage('user', 'Bye')] });
		const boundary = newBoundary([root!, question!]);
		await new Boundaries(db).add(boundary, unfenced);
		await new Scratchpad(db).set(session, 'note', 'text', now);
		await new Scratchpad(db).set(other, 'note', 'text', now);
		const before = await backup(db);
		await new Boundaries(db).remove(boundary.id, now, unfenced);
		await new Scratchpad(db).remove(session, 'note', now);
		await new Trees(db).removeBranch(session, branch!.id, now, unfenced);
		await new Trash(db).deleteSessionsUnfenced([other], now, 0);
		await new Trash(db).purgeUnfenced(now + 1e9);
		const kinds = async () => (await db.deletions.toArray()).map(({ kind }) => kind).sort();
		expect(await kinds()).toEqual(['boundary', 'branch', 'note', 'session']);
		return { db, before, kinds, session, other, branch: branch!.id };
	}

	it('comes back where a user restores a backup that has it, and its tombstone goes', async () => {
		const { db, before, kinds, session, other, branch } = await world();
		const { sessions } = await importFile(db, before, { now });
		expect(sessions).toMatchObject({ total: 2, added: 1, changed: 1 });
		expect((await new Messages(db).all(other)).map(({ sessionId }) => sessionId)).toEqual([other]);
		expect((await new Messages(db).all(session)).some(({ id }) => id === branch)).toBe(true);
		// Of a session that is here its compactions stay as they are, and notes come under a name of Snug's.
		expect(await kinds()).toEqual(['boundary', 'note']);
		await new Trash(db).deleteSessionsUnfenced([other], now, 0);
		await new Trash(db).purgeUnfenced(now + 1e9);
		expect(await db.deletions.get(other)).toEqual({ kind: 'session', id: other, at: now });
	});

	it('is known to the profile that a later backup is restored in, and a file deletes nothing by that', async () => {
		const { db, before, kinds, session, other } = await world();
		const after = await backup(db);
		const [fresh, first] = [openDatabase(), openDatabase()];
		await importFile(fresh, after, { now });
		expect(await fresh.deletions.toArray()).toEqual(await db.deletions.toArray());
		await importFile(first, before, { now });
		const rows = await rowsOf(first);
		await importFile(first, after, { now });
		const { deletions: _, ...kept } = rows;
		expect(await rowsOf(first)).toMatchObject(kept);
		expect(await first.deletions.count()).toBe(0);
		expect(await first.sessions.toCollection().primaryKeys()).toEqual([other, session].sort());
		await importFile(fresh, before, { now });
		expect(await fresh.deletions.get(other)).toBeUndefined();
		expect(await kinds()).toEqual(['boundary', 'branch', 'note', 'session']);
	});

	it('is let in as Snug writes it only', async () => {
		const { db } = await world();
		const strange = [
			{ kind: 'session', id: 'home', at: now },
			{ kind: 'note', id: `${idOf('x')}:note`, sessionId: idOf('y'), at: now },
			{ kind: 'attachment', id: idOf('z'), at: now },
			{ kind: 'session', id: idOf('z'), at: 8e15 },
			{ kind: 'all', id: idOf('z'), at: now }
		];
		const file = await resealed(await backup(db), (lines) => [...lines, ...strange.map((row) => JSON.stringify({ table: 'deletions', row }))], { deletions: 4 + strange.length });
		const to = openDatabase();
		const { leftOut } = await importFile(to, file, { now });
		expect(leftOut.filter(({ table }) => table === 'deletions').reduce((sum, { count }) => sum + count, 0)).toBe(strange.length);
		expect(await to.deletions.toArray()).toEqual(await db.deletions.toArray());
	});
});

describe('[P2] a backup', () => {
	it('has every table but those of model files and keys, and those that are made from others or by use', () => {
		expect([...backupTables, 'models', 'modelLists', 'toolServers', 'calibrations', 'checkpoints', 'folders', 'fileChanges', 'secrets', 'changes', 'changeCursors', 'segments', 'searchState'].sort()).toEqual(openDatabase().tables.map(({ name }) => name).sort());
	});

	it('gives an empty profile everything back, and a second time changes nothing', { timeout: 120_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (steps) => {
				const [from, to] = [openDatabase(), openDatabase()];
				await live(from, steps);
				const { file, checked } = await createBackup(from, { now });
				expect(checked.leftOut).toEqual([]);
				await restoreAll(to, file);
				const expected = await rowsOf(from);
				expect(await rowsOf(to)).toEqual(expected);
				await restoreAll(to, file);
				expect(await rowsOf(to)).toEqual(expected);
			}),
			{ numRuns: 15 }
		);
	});

	it('changes nothing in the profile that it was made of', { timeout: 120_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(steps, async (steps) => {
				const db = openDatabase();
				await live(db, steps);
				const before = await rowsOf(db);
				await importFile(db, await backup(db));
				expect(await rowsOf(db)).toEqual(before);
			}),
			{ numRuns: 8 }
		);
	});

	it('comes into a used profile without doubles, whatever both have done since', { timeout: 120_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(steps, steps, steps, async (both, one, other) => {
				const [here, there] = [openDatabase(), openDatabase()];
				await live(here, both);
				await importFile(there, await backup(here));
				await live(here, one);
				await live(there, other);
				const hadSessions = await here.sessions.toCollection().primaryKeys();
				const hadMessages = (await here.messages.toArray()).map(({ id }) => id);
				const file = await backup(there);
				await importFile(here, file);

				const ids = (await here.messages.toArray()).map(({ id }) => id);
				expect(ids).toEqual(expect.arrayContaining(hadMessages));
				expect(await here.sessions.toCollection().primaryKeys()).toEqual(
					expect.arrayContaining([...hadSessions, ...(await there.sessions.toCollection().primaryKeys())])
				);
				for (const { id, messageCount } of await here.sessions.toArray()) {
					const rows = await here.messages.where(':id').between([id], [id, []]).toArray();
					expect(faultsOf((await here.trees.get(id))!, rows, (await here.positions.get(id))!.headId)).toEqual([]);
					expect(messageCount).toBe((await new Messages(here).all(id)).length);
				}
				const after = await rowsOf(here);
				await importFile(here, file);
				expect(await rowsOf(here)).toEqual(after);
			}),
			{ numRuns: 15 }
		);
	});

	it('is not verified where restoring it would leave something out, and says what', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		const session = newSession();
		await append(from, { session, messages: [newMessage('user', 'question')] });
		await from.scratchpad.put({ sessionId: session.id, name: 'log', content: 'n'.repeat(2_000_001), createdAt: now, updatedAt: now });
		const { file, checked } = await createBackup(from, { now });
		expect(checked.leftOut).toEqual([{ table: 'scratchpad', reason: 'It is too long.', count: 1 }]);
		expect((await importFile(to, file)).leftOut).toEqual(checked.leftOut);
	});

	it.each([{}, { begun: true as const }])('has a live session whole where the trash has it as well: %o', async (more) => {
		const [from, to] = [openDatabase(), openDatabase()];
		const session = newSession();
		await append(from, { session, messages: [newMessage('user', 'question')] });
		const before = await rowsOf(from);
		await from.trash.put({ id: session.id, kind: 'session', sessionId: session.id, at: 1, purgeAt: 2, session: (await from.sessions.get(session.id))!, ...more });
		const { file, checked } = await createBackup(from, { now });
		expect(checked.leftOut).toEqual([]);
		await importFile(to, file);
		expect(await rowsOf(to)).toEqual(before);
	});

	it('is read in many chunks where a session is long', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		const session = newSession();
		const messages = Array.from({ length: 4500 }, (_, index) => newMessage('user', String(index)));
		await append(from, { session, messages: messages as [(typeof messages)[0]] });
		const { file, checked } = await createBackup(from, { now });
		expect(checked).toMatchObject({ leftOut: [], counts: { sessions: 1, messages: 4500 }, bytes: file.size });
		await importFile(to, file);
		expect(await rowsOf(to)).toEqual(await rowsOf(from));
	});

	it('holds no key and no setting of one browser, and keeps the keys and settings that are here', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		const server = { id: idOf('p'), name: 'P', baseUrl: 'http://p', createdAt: now };
		await new Providers(from).put(server, 'secret');
		await new Providers(to).put({ ...server, id: idOf('other') }, 'mine');
		await new Settings(from).set('retention', { days: 1, maxBytes: null });
		await new Settings(from).set('systemPrompt', 'theirs');
		await new Settings(to).set('systemPrompt', 'mine');
		const file = await backup(from);
		const text = await unpacked(file);
		expect(text).not.toContain('secret');
		expect(text).not.toContain('retention');
		const before = await contentOf(to);
		await importFile(to, file);
		expect(await contentOf(to)).toEqual(before);
	});

	it('[E11] brings what is unsent, a text or an edit, each by itself', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		const drafts = await Promise.all(
			[{ text: 'unsent' }, { edits: true }].map(async ({ text = '', edits }) => {
				const session = newSession({ key: newId() });
				const [message] = await append(from, { session, messages: [newMessage('user', 'Hi')] });
				await new Drafts(from).set(session.id, { text, attachments: [], ...(edits ? { edits: { [message!.id]: 'Hi there' } } : {}) }, unfenced);
				return from.drafts.get(session.id);
			})
		);
		await importFile(to, await backup(from));
		expect(drafts).not.toContain(undefined);
		expect(await to.drafts.bulkGet(drafts.map((draft) => draft!.sessionId))).toEqual(drafts);
	});

	it('says what is in it and what is new, and writes nothing by that', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		for (const name of ['same', 'grown', 'new', 'deleted']) {
			const { part, fileBytes } = await attach(from, `file of ${name}`);
			const first = newMessage('user', name);
			await append(from, { session: newSession({ id: idOf(name), key: name }), messages: [{ ...first, parts: [...first.parts, part] }], fileBytes });
		}
		await importFile(to, await backup(from));
		await append(from, { session: idOf('grown'), fence: unfenced, messages: [newMessage('assistant', 'more')] });
		await new Trash(to).deleteSessionsUnfenced([idOf('deleted')], now);
		await new Trash(to).deleteSessionsUnfenced([idOf('new')], 0);
		await new Trash(to).purgeUnfenced(now - 1);
		const before = await rowsOf(to);
		const summary = await inspectFile(to, await backup(from));
		expect(summary).toMatchObject({
			createdAt: now,
			sessions: { total: 4, added: 1, back: 1, changed: 1, same: 1 },
			messages: { total: 5, added: 2 },
			attachments: { total: 4 },
			leftOut: []
		});
		expect(await rowsOf(to)).toEqual(before);
	});

	it('brings a session back that is in the trash', async () => {
		const db = openDatabase();
		await append(db, { session: newSession({ id: idOf('s') }), messages: [newMessage('user', 'text')] });
		const before = await rowsOf(db);
		const file = await backup(db);
		await new Trash(db).deleteSessionsUnfenced([idOf('s')], now);
		expect((await inspectFile(db, file)).sessions).toMatchObject({ added: 0, back: 1 });
		await importFile(db, file);
		expect(await rowsOf(db)).toEqual(before);
	});

	it('does not become a second thread of a workspace [E1]', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		for (const db of [from, to]) {
			const thread = newSession({ key: 'web:garden', workspace: 'garden', createdAt: 77 });
			await append(db, { session: thread, messages: [newMessage('user', 'text')] });
		}
		await importFile(to, await backup(from));
		expect((await to.sessions.toArray()).map(({ key }) => key).sort()).toEqual(['web:garden', 'web:garden:77']);
	});

	it('goes on where a restore was broken off, with whole sessions only until then', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		for (let index = 0; index < 6; index++) {
			const { part, fileBytes } = await attach(from, `file ${index % 2}`);
			const first = newMessage('user', 'text');
			await append(from, {
				session: newSession({ key: String(index) }),
				messages: [{ ...first, parts: [part] }, newMessage('assistant', 'answer')],
				fileBytes
			});
		}
		const file = await backup(from);
		const stop = new AbortController();
		const broken = importFile(to, file, {
			signal: stop.signal,
			onProgress: () => void to.sessions.count().then((count) => count >= 3 && stop.abort())
		});
		await expect(broken).rejects.toMatchObject({ name: 'AbortError' });
		const sessions = await to.sessions.toArray();
		expect(sessions.length).toBeGreaterThanOrEqual(3);
		expect(sessions.length).toBeLessThan(6);
		for (const { id, messageCount } of sessions) expect(await new Messages(to).path(id)).toHaveLength(messageCount);
		const uses = await to.attachmentUses.toArray();
		for (const { attachmentId } of uses) expect(await to.attachments.get(attachmentId)).toBeDefined();
		await importFile(to, file);
		expect(await rowsOf(to)).toEqual(await rowsOf(from));
	});

	it('[E5] is logged as any other write: a row a session, with all that came', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		for (const id of [idOf('s'), idOf('t')]) {
			await append(from, { session: newSession({ id, key: id }), messages: [newMessage('user', id), newMessage('assistant', 'x')] });
		}
		const [, answer] = await new Messages(from).all(idOf('t'));
		const file = await backup(from);
		await importFile(to, file);
		const logged = async (after: number) => (await new Changes(to).after(after)).map(({ seq: _, ...change }) => change);
		const all = async (sessionId: string) => (await new Messages(from).all(sessionId)).map(({ id }) => id);
		expect(await logged(0)).toEqual([
			{ sessionId: idOf('s'), messageIds: await all(idOf('s')) },
			{ sessionId: idOf('t'), messageIds: await all(idOf('t')) }
		]);
		// What is the same already is not written.
		await redact(to, answer!.id, now, unfenced);
		const before = await new Changes(to).lastSeq();
		await importFile(to, file);
		expect(await logged(before)).toEqual([]);
	});

	it('is refused where there is no room for it, and changes nothing', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		await append(from, { session: newSession(), messages: [newMessage('user', 'x'.repeat(5000))] });
		const storage = { estimate: () => Promise.resolve({ usage: 900, quota: 1000 }) };
		await expect(importFile(to, await backup(from), { storage })).rejects.toMatchObject({ code: 'disk-full' });
		expect(await to.sessions.count()).toBe(0);
	});

	it('leaves out rows that do not fit and says so; messages and sessions keep their place [R6]', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		const [, , last] = await append(from, {
			session: newSession({ id: idOf('s'), title: 'Kept' }),
			messages: [newMessage('system', ''), newMessage('user', 'broken'), newMessage('assistant', 'last')]
		});
		await new Scratchpad(from).set(idOf('s'), 'note', 'text', now);
		const spoiled = (line: string) =>
			line
				.replace('[{"type":"text","text":"broken"}]', '"none"')
				.replace('"content":"text"', '"content":7')
				.replace('"bytes":', '"octets":');
		const { leftOut } = await importFile(to, await resealed(await backup(from), (lines) => lines.map(spoiled)));
		expect(leftOut.map(({ table }) => table)).toEqual(['sessions', 'messages', 'scratchpad']);
		const path = await new Messages(to).path(idOf('s'));
		expect(path.map(({ parts }) => parts[0]?.type)).toEqual([undefined, 'unreadable', 'text']);
		expect(path.at(-1)).toEqual(last);
		expect(await new Sessions(to).get(idOf('s'))).toMatchObject({ title: 'Kept', messageCount: 3 });
		expect(await to.scratchpad.count()).toBe(0);
	});
});

it('[P2] a backup of a version without compactions is restored as before', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	await append(from, { session: newSession({ id: idOf('s') }), messages: [newMessage('user', 'question'), newMessage('assistant', 'answer')] });
	const file = await resealed(await backup(from), (lines) => {
		const { boundaries: _, contexts: __, ...counts } = (JSON.parse(lines[0]!) as { counts: Record<string, number> }).counts;
		return [JSON.stringify({ ...JSON.parse(lines[0]!), databaseVersion: 2, counts }), ...lines.slice(1)];
	});
	await new Contexts(from).pin(idOf('s'), (await from.messages.toArray())[0]!.id, true, unfenced);
	const before = await rowsOf(from);
	await importFile(from, file);
	expect(await rowsOf(from)).toEqual(before);
	await importFile(to, file);
	expect(await rowsOf(to)).toEqual({ ...before, contexts: [] });
});

it('[P2] [A5] a backup of a version that kept the position in the tree brings the head of a session that is not here, and no fence', async () => {
	const [from, here, empty] = [openDatabase(), openDatabase(), openDatabase()];
	const rows = await append(from, { session: newSession({ id: idOf('s') }), messages: [newMessage('system', ''), newMessage('user', 'question'), newMessage('assistant', 'answer')] });
	await importFile(here, await backup(from));
	await new Trees(from).moveHead(idOf('s'), rows[1]!.id, unfenced);
	for (let raised = 0; raised < 7; raised++) await new Trees(from).raiseFence(idOf('s'));
	const position = await from.positions.get(idOf('s'));
	expect(position).toEqual({ sessionId: idOf('s'), headId: rows[1]!.id, fence: 7 });
	const old = await resealed(
		await backup(from),
		(lines) =>
			lines.flatMap((line) => {
				const { table, row } = JSON.parse(line) as { table: string; row: object };
				return table === 'positions' ? [] : table === 'trees' ? [JSON.stringify({ table, row: { ...row, ...position } })] : [line];
			}),
		{ positions: 0 }
	);
	expect(await unpacked(old)).toContain('"fence":7');
	for (const file of [old, await backup(from)]) {
		const [into, before] = [openDatabase(), await here.positions.toArray()];
		expect((await importFile(into, file)).leftOut).toEqual([]);
		expect(await rowsOf(into)).toEqual(await rowsOf(from));
		expect((await into.positions.get(idOf('s')))!.fence).toBeGreaterThan(1_000_000);
		await importFile(here, file);
		expect(await here.positions.toArray()).toEqual(before);
	}
	expect((await inspectFile(empty, old)).sessions.added).toBe(1);
});

it('[P8] a head that is no message of its chat, and a position of another chat, do not come', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const rows = await append(from, { session: newSession({ id: idOf('s') }), messages: [newMessage('user', 'question'), newMessage('assistant', 'answer')] });
	const [elsewhere] = await append(from, { session: newSession({ id: idOf('t') }), messages: [newMessage('user', 'elsewhere')] });
	const spoiled = (line: string) => line.replace(`{"sessionId":"${idOf('s')}","headId":"${rows[1]!.id}"`, `{"sessionId":"${idOf('s')}","headId":"${elsewhere!.id}"`);
	const { leftOut } = await importFile(to, await resealed(await backup(from), (lines) => lines.map(spoiled)));
	expect(leftOut).toEqual([{ table: 'positions', reason: 'The message that it names is not there.', count: 1 }]);
	expect((await to.positions.get(idOf('s')))!.headId).toBe(rows[1]!.id);
	expect(await new Messages(to).path(idOf('s'))).toEqual(rows);
});

it('[P2] [P3] compactions of a version that named all that they cover come without that, from the trash too', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const messages = [newMessage('system', ''), newMessage('user', 'question'), newMessage('assistant', 'answer'), newMessage('user', 'and')] as const;
	const rows = await append(from, { session: newSession({ id: idOf('s') }), messages: [...messages] });
	const [kept, voided] = [newBoundary(rows.slice(0, 2)), newBoundary(rows.slice(0, 3))];
	for (const boundary of [kept, voided]) await new Boundaries(from).add(boundary, unfenced);
	await redact(from, rows[2]!.id, now, unfenced);
	const before = await rowsOf(from);
	const file = await resealed(await backup(from), (lines) => lines.map((line) => line.replace('"excluded":[]', '"coveredIds":["a","b"]')));
	expect((await importFile(to, file)).leftOut).toEqual([]);
	expect(await rowsOf(to)).toEqual(before);
	expect(before.boundaries).toEqual([kept]);
	expect(JSON.stringify(before.trash)).toContain(voided.id);
});

it('[P2] [E11] unfinished answers of a version that kept them as texts come as parts, those of deleted branches too', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	const half = (messageId: string, parentId: string): UnfinishedAnswer => ({ messageId, parentId, parts: spoken('Half an', 'Hm'), model: 'm', startedAt: 1 });
	for (const id of [idOf('s'), idOf('t')]) {
		const rows = await append(from, { session: newSession({ id }), messages: [newMessage('system', ''), newMessage('user', 'One'), newMessage('assistant', 'Yes'), newMessage('user', 'Two')] });
		await new TurnStore(from, unfenced).journal(id, half(newId(), rows[3]!.id));
		if (id === idOf('t')) await new Trees(from).removeBranch(id, rows[3]!.id, now, unfenced);
	}
	const before = await rowsOf(from);
	expect([before.answers, before.trash]).toMatchObject([[{}], [{ answer: { parts: [{}, {}] } }]]);
	const file = await resealed(await backup(from), (lines) =>
		lines.map((line) => line.replace(JSON.stringify({ parts: spoken('Half an', 'Hm') }).slice(1, -1), '"text":"Half an","reasoning":"Hm"'))
	);
	expect(await unpacked(file)).toMatch(/("text":"Half an","reasoning":"Hm".*){2}/s);
	expect((await importFile(to, file)).leftOut).toEqual([]);
	expect(await rowsOf(to)).toEqual(before);
});

it('[P8] what a file says of a model does not count here, nor does it stop an older backup', async () => {
	const [from, to] = [openDatabase(), openDatabase()];
	for (const db of [from, to]) await new Calibrations(db).learnWindow('known', 2000);
	await append(from, { session: newSession(), messages: [newMessage('user', 'question')] });
	const file = await resealed(await backup(from), (lines) => [...lines, JSON.stringify({ table: 'calibrations', row: { model: 'new', samples: [], window: 600 } })], { calibrations: 1 });
	expect((await importFile(to, file)).leftOut).toEqual([]);
	expect(await to.sessions.count()).toBe(1);
	expect((await to.calibrations.toArray()).map(({ model, window }) => [model, window])).toEqual([['known', 2000]]);
});

describe('[P2] a file that is not a whole backup', () => {
	const json = (value: unknown) => new Blob([JSON.stringify(value)]);
	const header = { format: 'snug-backup', version: 1, databaseVersion, createdAt: now, counts: {} };
	const png = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])]);

	it.each([
		['an empty file', 'import-unknown', new Blob([])],
		['a picture', 'import-unknown', png],
		['a large file without lines', 'import-unknown', new Blob([new Uint8Array(1_000_000)])],
		['a list of another kind', 'import-unknown', json([{ title: 'Chat', text: 'x'.repeat(200_000) }])],
		['other JSON', 'import-unknown', new Blob(['{"format":"other"}\n'])],
		['a backup of a newer Snug', 'backup-newer', new Blob([`${JSON.stringify({ ...header, version: 2 })}\n`])],
		['a backup of a newer database', 'backup-newer', new Blob([`${JSON.stringify({ ...header, databaseVersion: databaseVersion + 1 })}\n`])],
		['a header alone', 'backup-damaged', new Blob([`${JSON.stringify(header)}\n`])]
	])('%s is refused in one sentence, and changes nothing', async (_, code, file) => {
		const db = openDatabase();
		await expect(importFile(db, file)).rejects.toMatchObject({ name: 'AppError', code });
		await expect(importFile(db, await packed(file))).rejects.toMatchObject({ name: 'AppError', code });
		expect(Object.values(await contentOf(db)).flat()).toEqual([]);
	});

	it('cut off anywhere is refused, with one byte changed too or else read as it was written', { timeout: 60_000 }, async () => {
		const from = openDatabase();
		for (let index = 0; index < 5; index++) {
			await append(from, { session: newSession({ key: String(index) }), messages: [newMessage('user', crypto.randomUUID().repeat(20))] });
		}
		const file = new Uint8Array(await (await backup(from)).arrayBuffer());
		const expected = await rowsOf(from);
		await fc.assert(
			fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
				const to = openDatabase();
				await expect(importFile(to, new Blob([file.slice(0, at)]))).rejects.toMatchObject({ name: 'AppError' });
				const flipped = file.slice();
				flipped[at]! ^= change;
				// Some bits say nothing, and some repetitions can be written in two ways.
				const failure: unknown = await importFile(to, new Blob([flipped])).then(() => undefined, (error: unknown) => error);
				if (failure) expect(failure).toMatchObject({ name: 'AppError' });
				expect(await rowsOf(to)).toEqual(failure ? await rowsOf(openDatabase()) : expected);
			}),
			{ numRuns: 40 }
		);
	});

	it.each([
		['a row less', (lines: string[]) => lines.toSpliced(1, 1)],
		['a row twice', (lines: string[]) => lines.toSpliced(1, 0, lines[1]!)],
		['a word changed', (lines: string[]) => lines.map((line) => line.replace('question', 'forgery'))],
		['more after its end', (lines: string[]) => [...lines.slice(0, -1), lines[1]!, '']],
		['no end', (lines: string[]) => [...lines.slice(0, -2), '']]
	])('with %s is refused and changes nothing', async (_, change) => {
		const [from, to] = [openDatabase(), openDatabase()];
		await append(from, { session: newSession(), messages: [newMessage('user', 'question'), newMessage('assistant', 'answer')] });
		const file = await rewritten(await backup(from), change);
		await expect(importFile(to, file)).rejects.toMatchObject({ code: 'backup-damaged' });
		expect(Object.values(await contentOf(to)).flat()).toEqual([]);
	});

	it('is none if it was only unpacked on its way', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		await append(from, { session: newSession(), messages: [newMessage('user', 'question')] });
		await importFile(to, new Blob([await unpacked(await backup(from))]));
		expect(await rowsOf(to)).toEqual(await rowsOf(from));
	});
});

describe('[P2] saveBackup', () => {
	async function target(name: string) {
		const root = await navigator.storage.getDirectory();
		return root.getFileHandle(name, { create: true }) as Promise<FileSystemFileHandle & { remove: () => Promise<void> }>;
	}

	it('writes to the disk, reads it back from there, and tells both steps', async () => {
		const [from, to] = [openDatabase(), openDatabase()];
		await live(from, [{ what: 0, which: 0 }, { what: 11, which: 0 }]);
		const handle = await target('backup-test.jsonl.gz');
		const told = new Set<string>();
		const checked = await saveBackup(from, handle, { now, onProgress: (step) => void told.add(step) });
		expect(checked).toMatchObject({ leftOut: [], bytes: (await handle.getFile()).size, counts: { sessions: 1, messages: 3 } });
		expect(told).toContain('writing');
		await importFile(to, await handle.getFile());
		expect(await rowsOf(to)).toEqual(await rowsOf(from));
		await handle.remove();
	});

	it('says if what it reads back is not what it wrote', async () => {
		const db = openDatabase();
		await live(db, [{ what: 0, which: 0 }]);
		const handle = await target('backup-broken.jsonl.gz');
		const lossy = {
			createWritable: () => handle.createWritable(),
			getFile: async () => {
				const file = await handle.getFile();
				return new File([file.slice(0, file.size - 20)], file.name);
			}
		};
		await expect(saveBackup(db, lossy, { now })).rejects.toMatchObject({ code: 'backup-damaged' });
		await handle.remove();
	});

	it('leaves no file behind when it is cancelled, and an older one as it was', async () => {
		const db = openDatabase();
		await live(db, [{ what: 0, which: 0 }]);
		const handle = await target('backup-cancelled.jsonl.gz');
		const cancelled = () => saveBackup(db, handle, { now, signal: AbortSignal.abort() });
		await expect(cancelled()).rejects.toMatchObject({ name: 'AbortError' });
		await expect(handle.getFile()).rejects.toMatchObject({ name: 'NotFoundError' });
		const older = await target('backup-cancelled.jsonl.gz');
		const writer = await older.createWritable();
		await writer.write('older');
		await writer.close();
		await expect(saveBackup(db, older, { now, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
		expect(await (await older.getFile()).text()).toBe('older');
		await older.remove();
	});
});

it('[P2] a reminder comes where nothing protects what is here, once a week at most, and not where it is not wanted', async () => {
	const day = 86_400_000;
	const db = openDatabase();
	const settings = new Settings(db);
	const due = (days: number, persisted = false) => backupIsDue(db, now + days * day, { persisted: () => Promise.resolve(persisted) });
	expect(await due(100)).toBe(false);
	await append(db, { session: newSession({ createdAt: now }), messages: [newMessage('user', 'text', { createdAt: now })] });
	expect([await due(6), await due(7), await due(7, true)]).toEqual([false, true, false]);
	await settings.set('backupRemindedAt', now + 7 * day);
	expect([await due(13), await due(14)]).toEqual([false, true]);
	await settings.set('lastBackup', { at: now + 10 * day, bytes: 1, counts: {}, verified: true });
	expect([await due(23), await due(24)]).toEqual([false, true]);
	await settings.set('backupReminder', false);
	expect(await due(24)).toBe(false);
});

it('[P2] a backup is named for the day on which it is made', () => {
	expect(backupName(new Date(2026, 2, 7, 23, 59).getTime())).toBe('snug-backup-2026-03-07.jsonl.gz');
});
