import type { Database } from './database';
import type { AnswerRow } from './tables/answers';

/**
 * Goes on from the answer of a second model [Z9] where the turn that it stands beside has ended without one of its own: the session moves to it,
 * or comes to it when a part of that other answer is discarded. Else nobody would see it, and the next message would stand beside it. Until
 * then the row of the second answer stays, without parts, and goes where the user moves elsewhere. Part of the running transaction over `leadOnTables`.
 */
export async function leadOn(db: Database, sessionId: string): Promise<void> {
	const row = await db.secondAnswers.get(sessionId);
	if (!row || !isPlaced(row)) return;
	const [session, tree, position, unfinished] = await Promise.all([db.sessions.get(sessionId), db.trees.get(sessionId), db.positions.get(sessionId), db.answers.get(sessionId)]);
	if (session?.status === 'running') return;
	await db.secondAnswers.delete(sessionId);
	const { messageId, parentId } = row;
	if (position?.headId !== parentId || !tree?.tips.some(({ id }) => id === messageId)) return;
	if (!unfinished) await db.positions.put({ ...position, headId: messageId });
	else if (unfinished.parentId === parentId && unfinished.leaves === undefined) await db.answers.put({ ...unfinished, leaves: messageId });
}

/** Tells whether the answer of a second model's row is a message already. */
export const isPlaced = ({ parts }: Pick<AnswerRow, 'parts'>): boolean => parts.length === 0;

export const leadOnTables = (db: Database) => [db.sessions, db.trees, db.positions, db.answers, db.secondAnswers];
