import type { Session } from '../conversation/session';
import type { Database } from './database';

/** Room by kind, in bytes, as far as the rows say; browsers tell only the sum. */
export interface Usage {
	/** Messages, without their files. */
	conversations: number;
	attachments: number;
	models: number;
	searchIndex: number;
	/** Sessions that were removed and can be brought back. */
	removed: number;
	sessionCount: number;
	attachmentCount: number;
	/** The largest sessions, the largest first. */
	largest: Session[];
}

/** Number of rows that are held at a time. */
export const chunk = 500;

/** Adds up what is kept, some rows at a time. */
export async function measureUsage(db: Database, maxCount = 10): Promise<Usage> {
	const bytes = { conversations: 0, attachments: 0, models: 0, searchIndex: 0, removed: 0 };
	const usage: Usage = { ...bytes, sessionCount: 0, attachmentCount: 0, largest: [] };
	const sizes = new Map<string, number>();
	for await (const { id, bytes } of inChunks((after) => db.attachments.where('id').above(after).limit(chunk).toArray())) {
		sizes.set(id, bytes);
		usage.attachments += bytes;
		usage.attachmentCount++;
	}
	const files = new Map<string, number>();
	if (sizes.size > 0) {
		await db.attachmentUses.each(({ attachmentId, sessionId }) => {
			files.set(sessionId, (files.get(sessionId) ?? 0) + (sizes.get(attachmentId) ?? 0));
		});
	}
	for await (const session of inChunks((after) => db.sessions.where('id').above(after).limit(chunk).toArray())) {
		// A session's own count has its files in it.
		usage.conversations += Math.max(0, session.bytes - (files.get(session.id) ?? 0));
		usage.sessionCount++;
		usage.largest.push(session);
		if (usage.largest.length > chunk) usage.largest = largestOf(usage.largest, maxCount);
	}
	usage.largest = largestOf(usage.largest, maxCount);
	await db.trash.each((item) => {
		if (item.kind === 'session') usage.removed += item.session.bytes;
	});
	for (const { bytes } of await db.models.toArray()) usage.models += bytes;
	const progress = await db.searchState.get('progress');
	if (progress?.name === 'progress') usage.searchIndex = progress.bytes;
	return usage;
}

function largestOf(sessions: Session[], count: number): Session[] {
	return sessions.sort((a, b) => b.bytes - a.bytes).slice(0, count);
}

/** The rows that `read` gives after an id, by id, chunk by chunk; those that come while it reads the last of them are left out. */
export async function* inChunks<T extends { id: string }>(read: (after: string) => PromiseLike<T[]>): AsyncGenerator<T> {
	for (let after = ''; ; ) {
		const rows = await read(after);
		yield* rows;
		if (rows.length < chunk) return;
		after = rows.at(-1)!.id;
	}
}
