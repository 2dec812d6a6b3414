import { beforeEach, describe, expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Message, Part } from '../conversation/message';
import { append } from './append';
import { Attachments } from './attachments';
import type { Database } from './database';
import { fencingTokenOf, unfenced } from './fence';
import { KeptResults } from './kept-results';
import { redact } from './redact';
import { Sessions } from './sessions';
import { TurnStore } from './turn-store';
import type { Attachment } from './tables/attachments';

let db: Database;
let sessionId: string;
let answer: Message;

const id = (letter: string) => letter.repeat(64);
const kept = (letter: string): Attachment => ({ id: id(letter), mediaType: 'text/plain', bytes: 3, content: new Blob([letter.repeat(3)], { type: 'text/plain' }), createdAt: 1 });
const parts = (letter: string): Part[] => [
	{ type: 'tool-result', toolCallId: letter, toolName: 'look', output: 'a…', isError: false },
	{ type: 'file', attachmentId: id(letter), mediaType: 'text/plain', name: 'look.txt' }
];
const result = (letter: string) => ({ ...newMessage('tool', ''), parts: parts(letter) });
const store = (letter: string, parentId = answer.id) => new TurnStore(db, unfenced).result(sessionId, parentId, result(letter), answer.id, [kept(letter)]);
const found = async (start: string, at?: string) => (await new KeptResults(db).find(sessionId, start, at))?.text();

beforeEach(async () => {
	db = openDatabase();
	const session = newSession();
	const call: Part = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} };
	const rows = await append(db, { session, messages: [newMessage('system', ''), newMessage('user', 'Hi'), { ...newMessage('assistant', ''), parts: [call] }] });
	[sessionId, answer] = [session.id, rows[2]!];
});

describe('[R1] a result that is kept whole', () => {
	it('[P8] is a text by what is stored, not by what its message says: a document is read otherwise', async () => {
		await store('a');
		expect(await found('a')).toBe('aaa');
		await db.attachments.update(id('a'), { mediaType: 'application/pdf' });
		expect(await found('a')).toBeUndefined();
	});

	it('[E11] is stored with its message in one transaction, or not at all', async () => {
		const before = await contentOf(db);
		await db.positions.where('sessionId').equals(sessionId).modify({ fence: 2 });
		const behind = new TurnStore(db, fencingTokenOf({ fence: 1 }));
		await expect(behind.result(sessionId, answer.id, result('a'), answer.id, [kept('a')])).rejects.toMatchObject({ code: 'taken-over' });
		await db.positions.where('sessionId').equals(sessionId).modify({ fence: 0 });
		expect(await contentOf(db)).toEqual(before);

		const { bytes } = (await new Sessions(db).get(sessionId))!;
		const message = await store('a');
		expect(await new Attachments(db).get(id('a'))).toMatchObject({ bytes: 3 });
		expect(await db.attachmentUses.toArray()).toEqual([{ attachmentId: id('a'), messageId: message.id, sessionId }]);
		expect((await new Sessions(db).get(sessionId))!.bytes).toBe(bytes + JSON.stringify(message.parts).length + 3);
	});

	it('is found by the beginning of its name on the path of the call, and on no other', async () => {
		const results = new KeptResults(db);
		expect(await results.isAny(sessionId)).toBe(false);
		const first = await store('a');
		expect(await results.isAny(sessionId)).toBe(true);
		const [other] = await append(db, { session: sessionId, parentId: answer.id, messages: [newMessage('user', 'Again')], fence: unfenced });
		expect(await found(id('a').slice(0, 12), first.id)).toBe('aaa');
		expect(await found(id('a').slice(0, 12), other!.id)).toBeUndefined();
		expect(await found('b', first.id)).toBeUndefined();
		expect(await results.find('elsewhere', 'a')).toBeUndefined();
	});

	it('is not found where a user’s message has the file, or the user keeps the result or its call from models, or has erased it', async () => {
		await new Attachments(db).put(kept('c'));
		const [own] = await append(db, { session: sessionId, messages: [{ ...newMessage('user', ''), parts: parts('c').slice(1) }], fence: unfenced });
		expect(await new KeptResults(db).isAny(sessionId)).toBe(false);
		expect(await found('c', own!.id)).toBeUndefined();

		const first = await store('a');
		const second = await store('b', first.id);
		for (const [excluded, letters] of [[first.id, []], [second.id, ['aaa']], [answer.id, []]] as const) {
			await db.contexts.put({ sessionId, pins: [], excludes: [excluded], settings: {} });
			expect([await found('a', second.id), await found('b', second.id)].filter((text) => text !== undefined)).toEqual(letters);
		}
		await db.contexts.clear();
		expect(await found('b', second.id)).toBe('bbb');
		await redact(db, second.id, 1, unfenced);
		expect(await found('b', second.id)).toBeUndefined();
	});
});
