import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { nextTurn } from '../../shared/pause';
import { append } from '../../storage/append';
import { Scratchpad } from '../../storage/scratchpad';
import { exportSession } from './export-session';

it('[A13] names the file after the session and says what is in it', async () => {
	const db = openDatabase();
	const session = newSession();
	await append(db, { session, messages: [newMessage('user', 'Hi')] });
	const file = await exportSession(db, session.id);
	expect(file.name).toBe(`session-${session.id}.md`);
	expect(file.type).toBe('text/markdown;charset=utf-8');
	expect(await file.text()).toContain('\nHi\n');
});

it('[A13] [Z9] has what there is of two answers that are being written', async () => {
	const db = openDatabase();
	const session = newSession();
	const [question] = await append(db, { session, messages: [newMessage('user', 'Hi')] });
	const answer = (messageId: string, text: string) => ({ sessionId: session.id, messageId, parentId: question!.id, parts: [{ type: 'text' as const, text }], model: 'm', startedAt: 1 });
	await db.answers.put(answer('a', 'Words of the first'));
	await db.secondAnswers.put(answer('b', 'Words of the second'));
	const text = await (await exportSession(db, session.id)).text();
	expect(text).toContain('Words of the first');
	expect(text).toContain('Words of the second');
});

it('[A13] [A7] has the notes, the to-do list and the labels', async () => {
	const db = openDatabase();
	const session = newSession();
	const [question] = await append(db, { session, messages: [newMessage('user', 'Hi')] });
	await db.trees.where('sessionId').equals(session.id).modify({ labels: { [question!.id]: 'Good start' } });
	const scratchpad = new Scratchpad(db);
	await scratchpad.set(session.id, 'todo', '- [ ] Buy pears', 1);
	await scratchpad.set(session.id, 'plan', 'By train', 1);
	await scratchpad.set(session.id, 'zoo', 'On Monday', 1);
	const text = await (await exportSession(db, session.id)).text();
	expect(text).toMatch(/ "Good start" -->\n## User\n[^]*\nHi\n[^]*\n# Note: plan\n\nBy train\n[^]*\n# Note: zoo\n\nOn Monday\n[^]*\n# To-do list\n\n- \[ \] Buy pears\n$/);
});

it('[P8] a name has only what names of files may have, whatever a row has for an id', async () => {
	const db = openDatabase();
	const sessionId = '..\\<b>:x';
	await append(db, { session: newSession({ id: sessionId }), messages: [newMessage('user', 'Hi')] });
	expect((await exportSession(db, sessionId)).name).toBe('session-..__b__x.md');
});

it('[P8] lets others have their turn while a long chat is written', async () => {
	const db = openDatabase();
	const session = newSession();
	const long = () => newMessage('user', '<b>'.repeat(20_000));
	const count = 60;
	await append(db, { session, messages: [long(), ...Array.from({ length: count - 1 }, long)] });
	let isWritten = false;
	let turns = 0;
	const others = (async () => {
		for (; !isWritten; turns++) await nextTurn();
	})();
	const file = await exportSession(db, session.id);
	isWritten = true;
	await others;
	expect(file.size).toBeGreaterThan(count * 60_000);
	expect(turns).toBeGreaterThan(10);
});

it('refuses a format that there is not, and a session that there is not', async () => {
	const db = openDatabase();
	await expect(exportSession(db, 'x')).rejects.toMatchObject({ code: 'session-absent' });
	await expect(exportSession(db, 'x', 'pdf' as 'markdown')).rejects.toMatchObject({
		code: 'export-format',
		message: 'There is no export format “pdf”. Use “markdown”.'
	});
});
