import type { Message } from '../conversation/message';
import { rebuildTree, type Tree } from '../conversation/tree';
import type { Clock } from '../shared/clock';
import { systemClock } from '../shared/clock';
import { newId } from '../shared/id';
import { messageOf } from './append';
import { fileBytesOf } from './attachments';
import type { Database } from './database';
import { repairMessages } from './repair-messages';
import { countsOf, rebuiltSession } from './rebuilt-session';
import { putPosition, quarantineRow, validMessagesOf, unchecked } from './quarantine';
import { unfinishedIn } from './trashed-answers';

/**
 * Makes one valid session of the messages that say they belong to it, in one transaction: rows that can't be read are
 * quarantined, a missing message leaves a marker, the tree row and what the session row counts are rebuilt, and a session row
 * that is gone is made from the messages. A head that is gone moves to the newest branch. Branches in the trash come back, their unfinished answers as messages. Without any message, what is left of the session
 * goes to the quarantine. Needs no fencing token, since the row that holds it may be the one that is lost;
 * one that is gets a number that no tab knows.
 */
export function rebuildSessionUnfenced(db: Database, id: string, clock: Clock = systemClock): Promise<void> {
	const { sessions, messages, trees, positions, trash, quarantine } = db;
	const at = clock();
	return unchecked(db, async () => {
		await quarantineRow(db, { table: 'sessions', key: id }, at);
		await quarantineRow(db, { table: 'trees', key: id }, at);
		await quarantineRow(db, { table: 'positions', key: id }, at);
		const found = await validMessagesOf(db, id, at);
		const [session, before] = await Promise.all([sessions.get(id), trees.get(id)]);
		if (found.length === 0) {
			const reason = 'There are no messages for it.';
			if (session) await quarantine.add({ id: newId(), table: 'sessions', key: id, row: session, reason, at });
			if (before) await quarantine.add({ id: newId(), table: 'trees', key: id, row: before, reason, at });
			await Promise.all([sessions.delete(id), trees.delete(id), positions.delete(id)]);
			return;
		}

		const deleted = await trash.where('sessionId').equals(id).toArray();
		const depths = new Map(found.map((message) => [message.id, message.depth]));
		const deepest = found.reduce((most, { depth }) => Math.max(most, depth), 0);
		const parts = deleted
			.flatMap(unfinishedIn)
			.filter(({ messageId }) => !depths.has(messageId))
			.map((answer): Message => {
				const depth = (depths.get(answer.parentId) ?? deepest) + 1;
				return { ...messageOf(answer, answer.startedAt), sessionId: id, parentId: answer.parentId, depth };
			});
		const whole = repairMessages([...found, ...parts], 'This message was missing when the chat was repaired.');
		const same = new Set(found);
		const changed = whole.filter((message) => !same.has(message));
		const old = new Set(changed.map((message) => message.id));
		await messages.bulkDelete(found.filter((message) => old.has(message.id)).map(({ sessionId, depth, id }) => [sessionId, depth, id]));
		await messages.bulkAdd(changed);
		await trash.where('sessionId').equals(id).and(({ kind }) => kind === 'branch').delete();
		const tree: Tree = rebuildTree(whole, before && { ...before, removed: [] })!;
		await trees.put(tree);
		await putPosition(db, tree, whole, await positions.get(id), at);
		const row = session ? { ...session, ...countsOf(tree, whole) } : rebuiltSession(id, {}, tree, whole);
		await sessions.put({ ...row, bytes: row.bytes + (await fileBytesOf(db, whole)) });
	});
}
