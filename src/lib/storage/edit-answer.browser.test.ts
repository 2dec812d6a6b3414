import { expect, it } from 'vitest';
import { contentOf, newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { faultsOf } from '../conversation/tree-faults';
import type { Unsent } from '../conversation/unsent';
import { newId } from '../shared/id';
import { append } from './append';
import { Drafts } from './drafts';
import { editAnswer } from './edit-answer';
import { unfenced } from './fence';
import { Messages } from './messages';
import { Sessions } from './sessions';

/** A session with two answered questions, and an edit of the first answer that is not saved. */
async function answered() {
	const db = openDatabase();
	const session = newSession();
	const texts = [['user', 'One'], ['assistant', 'Red'], ['user', 'Two'], ['assistant', 'Blue']] as const;
	const rows = await append(db, {
		session,
		messages: texts.map(([role, text]) => newMessage(role, text, role === 'assistant' ? { model: 'm', usage: { outputTokens: 3 }, finishReason: 'stop' } : {})) as Parameters<typeof append>[1]['messages']
	});
	await new Drafts(db).set(session.id, { text: 'Typed', attachments: [], edits: { [rows[1]!.id]: 'Green' } }, unfenced);
	return { db, sessionId: session.id, rows };
}

it('[Z9] [A3] an edited answer is another version beside the original, marked, and where the session is', async () => {
	const { db, sessionId, rows } = await answered();
	const id = newId();
	const unsent = ({ text, attachments }: Unsent) => ({ text, attachments });
	expect(await editAnswer(db, sessionId, rows[1]!.id, { id, text: 'Green', createdAt: 2000, unsent }, unfenced)).toBe(id);
	const messages = new Messages(db);
	expect(await messages.get(id)).toEqual({ id, sessionId, parentId: rows[0]!.id, depth: 1, role: 'assistant', parts: [{ type: 'text', text: 'Green' }], createdAt: 2000, model: 'm', edited: true });
	expect(await messages.get(rows[1]!.id)).toEqual(rows[1]);
	expect((await messages.path(sessionId)).map((message) => message.id)).toEqual([rows[0]!.id, id]);
	expect(await new Sessions(db).get(sessionId)).toMatchObject({ messageCount: 5, steps: 2, usage: { outputTokens: 6 } });
	expect((await contentOf(db)).drafts).toMatchObject([{ composer: 'Typed' }]);
	expect((await contentOf(db)).drafts![0]).not.toHaveProperty('edits');
	expect(faultsOf((await db.trees.get(sessionId))!, await messages.all(sessionId))).toEqual([]);
});

it('[Z9] nothing but an answer is edited so, and of another session none', async () => {
	const { db, sessionId, rows } = await answered();
	const edit = { id: newId(), text: 'Green', createdAt: 2000 };
	await expect(editAnswer(db, sessionId, rows[2]!.id, edit, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
	await expect(editAnswer(db, newId(), rows[1]!.id, edit, unfenced)).rejects.toMatchObject({ code: 'message-absent' });
	expect(await new Messages(db).all(sessionId)).toHaveLength(4);
});
