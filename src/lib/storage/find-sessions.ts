import type { Session } from '../conversation/session';
import type { Database } from './database';

const maxFound = 10;

/**
 * Finds the session with that id, or those with that title in any case, or else those that have the words in title or
 * preview, newest first, ten at most [E4].
 */
export async function findSessions(db: Database, text: string): Promise<Session[]> {
	const wanted = text.trim().toLowerCase();
	const exact = await db.sessions.get(wanted);
	if (exact) return [exact];
	if (wanted === '') return [];
	const newestFirst = (fits: (session: Session) => boolean) => db.sessions.orderBy('updatedAt').reverse().filter(fits).limit(maxFound).toArray();
	const titled = await newestFirst(({ title, extra }) => title.toLowerCase() === wanted || extra?.alias?.toLowerCase() === wanted);
	if (titled.length > 0) return titled;
	return newestFirst(({ id, title, preview }) => id.startsWith(wanted) || `${title}\n${preview}`.toLowerCase().includes(wanted));
}
