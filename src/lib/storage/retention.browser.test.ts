import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import type { Database } from './database';
import { Drafts } from './drafts';
import { unfenced } from './fence';
import { candidates } from './retention';
import { Scratchpad } from './scratchpad';
import { Sessions } from './sessions';

const day = 86_400_000;
const now = 1000 * day;

/** A session of about `size` bytes that was last changed so many days ago. */
async function keep(db: Database, id: string, age: number, size = 100): Promise<void> {
	const at = now - age * day;
	await append(db, { session: newSession({ id, createdAt: at }), messages: [newMessage('user', 'x'.repeat(size), { createdAt: at })] });
}

const taken = async (...args: Parameters<typeof candidates>) =>
	(await candidates(...args)).map(({ session, because }) => `${session.id} by ${because}`);

it('[A8] finds what is older than the rule allows, oldest first, and never pinned or spared sessions', async () => {
	const db = openDatabase();
	for (const [id, age] of [['young', 89], ['old', 90], ['oldest', 400], ['pinned', 300], ['open', 200]] as const) await keep(db, id, age);
	await new Sessions(db).updateUnfenced('pinned', { pinned: 1 });
	const rule = { days: 90, maxBytes: null };
	expect(await taken(db, rule, now, { spared: new Set(['open']) })).toEqual(['oldest by age', 'old by age']);
	expect(await taken(db, rule, now + day, { spared: new Set(['open']) })).toEqual(['oldest by age', 'old by age', 'young by age']);
	expect(await taken(db, { days: null, maxBytes: null }, now)).toEqual([]);
});

it('[A8] [E11] spares what was written into an old chat: a note counts as a change, and what is unsent or unfinished stays', async () => {
	const db = openDatabase();
	for (const id of ['noted', 'noted long ago', 'unsent', 'unfinished', 'second', 'second whole', 'waiting', 'decided', 'prompted', 'chosen', 'old']) await keep(db, id, 100);
	const scratchpad = new Scratchpad(db);
	await scratchpad.set('noted', 'plan', 'Of today', now);
	await scratchpad.set('noted long ago', 'plan', 'Of then', now - 95 * day);
	await new Drafts(db).set('unsent', () => ({ text: 'Half a message', attachments: [] }), unfenced);
	await db.answers.add({ sessionId: 'unfinished', messageId: 'a', parentId: 'q', parts: [{ type: 'text', text: 'Half' }], startedAt: now, model: 'm' });
	const second = { parentId: 'q', startedAt: now, model: 'm' };
	await db.secondAnswers.add({ ...second, sessionId: 'second', messageId: 'b', parts: [{ type: 'text', text: 'Half' }] });
	await db.secondAnswers.add({ ...second, sessionId: 'second whole', messageId: 'c', parts: [] });
	// Of a call about which nothing was decided yet no more is known.
	await db.sessions.update('waiting', { status: 'waiting' });
	await db.checkpoints.add({ sessionId: 'decided', calls: [{ answerId: 'a', toolCallId: '1', decided: 'allowed' }] });
	await db.sessionSettings.add({ sessionId: 'prompted', systemPrompt: 'Be brief.' });
	await db.sessionSettings.add({ sessionId: 'chosen', tools: [] });
	expect(await taken(db, { days: 90, maxBytes: null }, now)).toEqual(['chosen by age', 'old by age', 'second whole by age', 'noted long ago by age']);
	expect(await taken(db, { days: null, maxBytes: 1 }, now)).toEqual(['chosen by size', 'old by size', 'second whole by size', 'noted long ago by size', 'noted by size']);
});

it('[A8] lets the oldest go until the sum of all sessions fits, which pinned ones are part of', async () => {
	const db = openDatabase();
	for (const [id, age] of [['new', 1], ['middle', 2], ['old', 3], ['pinned', 4]] as const) await keep(db, id, age, 10_000);
	await new Sessions(db).updateUnfenced('pinned', { pinned: 1 });
	expect(await taken(db, { days: null, maxBytes: 50_000 }, now)).toEqual([]);
	expect(await taken(db, { days: null, maxBytes: 35_000 }, now)).toEqual(['old by size']);
	expect(await taken(db, { days: 3, maxBytes: 25_000 }, now)).toEqual(['old by age', 'middle by size']);
});

it('[A8] looks through more sessions than it reads at a time, also where many are of one time', async () => {
	const db = openDatabase();
	const ids = Array.from({ length: 1203 }, (_, index) => `s${String(index).padStart(4, '0')}`);
	const row = { ...newSession(), messageCount: 1, steps: 0, bytes: 10, usage: {}, updatedAt: now - 100 * day };
	await db.sessions.bulkAdd(ids.map((id) => ({ ...row, id })));
	const found = await candidates(db, { days: 90, maxBytes: 6000 }, now);
	expect(found.map(({ session }) => session.id)).toEqual(ids);
});
