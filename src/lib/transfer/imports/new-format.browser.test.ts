import { describe, expect, it } from 'vitest';
// Before all that goes through the formats.
import '../../../../tests/fixtures/more-formats';
import { describeImportFormat } from '../../../../tests/contract/import-format';
import { chatList, chatListFixture, chatListOf } from '../../../../tests/fixtures/chat-list';
import { contentOf, openDatabase } from '../../../../tests/fixtures/database';
import { backupFixture } from '../../../../tests/fixtures/import-files';
import { Messages } from '../../storage/messages';
import { importFile } from './import-file';
import { receiptOf } from './receipt';

const now = Date.UTC(2026, 5, 1);

describe('a format of another app', () => {
	describeImportFormat('chat-list', () => Promise.resolve(chatList), chatListFixture, [backupFixture]);

	it('brings its chats as trees of messages with their files, and says what of them is not known here', async () => {
		const db = openDatabase();
		const receipt = receiptOf(await importFile(db, await chatListFixture.file(), { now }));
		expect(receipt).toMatchObject({ format: 'chat-list', kept: { sessions: 2, messages: 7, branches: 3, attachments: 1 } });
		const birds = (await db.sessions.toArray()).find(({ title }) => title === 'Birds')!;
		const path = await new Messages(db).path(birds.id);
		expect(path.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([['system'], ['user', 'text', 'file'], ['assistant', 'text']]);
		expect(birds).toMatchObject({ messageCount: 4, surface: 'import' });
		expect(await (await db.attachments.toArray())[0]!.content.text()).toBe('In the file');
	});

	it('adds to a chat what it went on to have there, as a branch, and leaves the chat where it is', async () => {
		const db = openDatabase();
		await importFile(db, chatListOf((chats) => chats.map((chat) => ({ ...chat, turns: chat.turns.slice(0, 2) }))), { now });
		const heads = async () => (await db.positions.toArray()).map(({ headId }) => headId);
		const before = await heads();
		const { merged, kept } = receiptOf(await importFile(db, await chatListFixture.file(), { now }));
		expect([merged, kept]).toMatchObject([{ sessions: 2, messages: 6 }, { sessions: 0, messages: 1, branches: 1 }]);
		expect(await heads()).toEqual(before);
	});

	it('[P8] brings a chat once, however often the file has it, and says what of it came again', async () => {
		const db = openDatabase();
		await importFile(db, await chatListFixture.file(), { now });
		const before = await contentOf(db);
		const again = openDatabase();
		const { skipped, kept } = receiptOf(await importFile(again, chatListOf((chats) => [...chats, ...chats, ...chats]), { now }));
		expect(kept).toMatchObject({ sessions: 2, messages: 7 });
		const why = 'The chat that it belongs to came earlier in the file.';
		expect(skipped.filter((one) => one.why === why)).toEqual([
			{ what: 'sessions', why, count: 4 },
			{ what: 'messages', why, count: 14 },
			{ what: 'attachments', why, count: 2 }
		]);
		// Each profile counts its own fence.
		const withoutFence = (rows: Record<string, unknown[]>) => ({ ...rows, positions: rows.positions!.map((row) => ({ ...(row as object), fence: 0 })) });
		expect(withoutFence(await contentOf(again))).toEqual(withoutFence(before));
	});

	it('[P8] gets nothing past the gate: rows of other chats, of the user, and none that are deep or no rows', async () => {
		const db = openDatabase();
		const file = chatListOf((chats) => chats.map((chat) => ({ ...chat, forged: true })));
		const { skipped, kept } = receiptOf(await importFile(db, file, { now }));
		expect(kept.sessions).toBe(2);
		expect(skipped).toEqual(
			expect.arrayContaining([
				{ what: 'messages', why: 'It does not say which chat it belongs to.', count: 2 },
				{ what: 'settings', why: 'It does not say which chat it belongs to.', count: 2 },
				{ what: 'scratchpad', why: 'It is nested too deeply, or has too much in it.', count: 2 },
				{ what: 'drafts', why: 'Its fields are not the right ones.', count: 2 }
			])
		);
		const { settings, drafts, scratchpad } = await contentOf(db);
		expect([settings, drafts, scratchpad]).toEqual([[], [], []]);
	});
});

it('a file that no format recognises is refused in a sentence that names them', async () => {
	await expect(importFile(openDatabase(), new Blob(['My diary']), { now })).rejects.toMatchObject({
		name: 'AppError',
		code: 'import-unknown',
		message: 'Snug can’t import this file: it is not a Snug backup or list of chats. Choose another one.'
	});
});

it('[P8] [R6] has a placeholder for a message that is nested too deeply, and all that follows it', async () => {
	const db = openDatabase();
	const file = chatListOf((chats) => chats.slice(0, 1).map((chat) => ({ ...chat, nested: 120 })));
	const { skipped, kept } = receiptOf(await importFile(db, file, { now }));
	expect(skipped).toContainEqual({ what: 'messages', why: 'It is nested too deeply, or has too much in it.', count: 1 });
	expect(kept).toMatchObject({ sessions: 1, messages: 4, branches: 2 });
	const [, asked, answer] = (await db.messages.toArray()).sort((a, b) => a.depth - b.depth);
	expect(asked!.parts).toMatchObject([{ type: 'unreadable' }]);
	expect(answer).toMatchObject({ parentId: asked!.id, parts: [{ type: 'text' }] });
});
