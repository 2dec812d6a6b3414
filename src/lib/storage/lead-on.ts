import type { Database } from './database';
import { Messages } from './messages';

/**
 * Moves a session that stays at a question, since its turn has ended without an answer, to the one that another model has given meanwhile
 * [Z9]: else nobody would see it, and the next message would stand beside it. Part of the running transaction over `sessions`, `messages`,
 * `trees`, `positions` and `answers`.
 */
export async function leadOn(db: Database, sessionId: string): Promise<void> {
	const [session, tree, position, unfinished] = await Promise.all([db.sessions.get(sessionId), db.trees.get(sessionId), db.positions.get(sessionId), db.answers.get(sessionId)]);
	if (!session || session.status === 'running' || !tree || !position || unfinished) return;
	const messages = new Messages(db);
	const question = await messages.get(position.headId);
	if (question?.role !== 'user') return;
	const ends = tree.tips.filter(({ depth }) => depth === question.depth + 1);
	const rows = await Promise.all(ends.map(({ id }) => messages.get(id)));
	const answer = rows.findLast((row) => row?.role === 'assistant' && row.parentId === question.id);
	if (answer) await db.positions.put({ ...position, headId: answer.id });
}
