import type { Writer } from '../engine/turns/writers';
import type { Unsent } from '../conversation/unsent';
import { Drafts } from '../storage/drafts';
import { db } from './environment';
import { writers } from './writers';

const stored = new Drafts(db);

/** Drafts: texts that were typed into a session and not sent. */
export const drafts = {
	get: (sessionId: string) => stored.get(sessionId),
	/** As `Drafts.isGone`. */
	isGone: (sessionId: string) => stored.isGone(sessionId),
	/** Stores what `next` makes of what is stored by then. Throws an AppError where another tab has taken the session over. */
	set: (writer: Writer, next: (stored: Unsent) => Unsent): Promise<void> =>
		writers.write(writer, (fence) => stored.set(writer.sessionId, next, fence))
};
