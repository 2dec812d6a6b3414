import { beforeEach, describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { Part } from '../conversation/message';
import { append } from './append';
import { callStates, Checkpoints } from './checkpoints';
import type { Database } from './database';
import { fencingTokenOf, unfenced } from './fence';
import { Trash } from './trash';
import { TurnStore } from './turn-store';

let db: Database;
let sessionId: string;
let answerId: string;
const call = (toolCallId: string): Part => ({ type: 'tool-call', toolCallId, toolName: 'write', input: {} });
const result = (toolCallId: string): Part => ({ type: 'tool-result', toolCallId, toolName: 'write', output: 'done', isError: false });

beforeEach(async () => {
	db = openDatabase();
	const session = newSession();
	const answer = { ...newMessage('assistant', ''), parts: [call('a'), call('b')] };
	await append(db, { session, messages: [newMessage('system', ''), newMessage('user', 'Hi'), answer] });
	[sessionId, answerId] = [session.id, answer.id];
});

describe('[R1] Checkpoints', () => {
	it('keep what was decided of each call until its result is stored', async () => {
		const checkpoints = new Checkpoints(db, unfenced);
		await checkpoints.decide(sessionId, { answerId, toolCallId: 'a', decided: 'allowed', seen: 'd' });
		await checkpoints.decide(sessionId, { answerId, toolCallId: 'b', decided: 'denied', word: 'No' });
		await checkpoints.begin(sessionId, answerId, 'a');
		expect(await checkpoints.of(sessionId, answerId)).toEqual([
			{ answerId, toolCallId: 'b', decided: 'denied', word: 'No' },
			{ answerId, toolCallId: 'a', begun: true }
		]);
		expect(await checkpoints.of(sessionId, 'other')).toEqual([]);
		// A call that had begun may have had its effect, whatever is decided then.
		await checkpoints.decide(sessionId, { answerId, toolCallId: 'a', decided: 'denied' });
		expect(await callStates(db, sessionId, answerId)).toContainEqual({ answerId, toolCallId: 'a', decided: 'denied', begun: true });

		const store = new TurnStore(db, unfenced);
		const first = await store.result(sessionId, answerId, { ...newMessage('tool', ''), parts: [result('a')] }, answerId);
		expect(await db.checkpoints.get(sessionId)).toEqual({ sessionId, calls: [{ answerId, toolCallId: 'b', decided: 'denied', word: 'No' }] });
		await store.result(sessionId, first.id, { ...newMessage('tool', ''), parts: [result('b')] }, answerId);
		expect(await db.checkpoints.count()).toBe(0);
	});

	it('[A5] take nothing from a tab that another has taken over from', async () => {
		await db.positions.where('sessionId').equals(sessionId).modify({ fence: 2 });
		const checkpoints = new Checkpoints(db, fencingTokenOf({ fence: 1 }));
		await expect(checkpoints.begin(sessionId, answerId, 'a')).rejects.toMatchObject({ code: 'taken-over' });
		await expect(checkpoints.decide(sessionId, { answerId, toolCallId: 'a', decided: 'allowed' })).rejects.toMatchObject({ code: 'taken-over' });
		expect(await db.checkpoints.count()).toBe(0);
	});

	it('[A14] let no call begin in a chat that was deleted, and go with it', async () => {
		const checkpoints = new Checkpoints(db, unfenced);
		await checkpoints.begin(sessionId, answerId, 'a');
		const trash = new Trash(db);
		await trash.deleteSessionsUnfenced([sessionId], 0, 0);
		await expect(checkpoints.begin(sessionId, answerId, 'b')).rejects.toMatchObject({ code: 'session-absent' });
		await trash.purgeUnfenced(1);
		expect(await db.checkpoints.count()).toBe(0);
	});
});
