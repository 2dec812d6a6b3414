import { heldFiles } from '../locks/files';
import { isTemporary } from '../shared/is-temporary';
import { ChangeReaders } from '../storage/change-readers';
import { Emptying } from '../storage/emptying';
import { Trash } from '../storage/trash';
import { sweepFiles } from '../storage/unused-files';
import { clock, db } from './environment';
import { tails } from './settle';
import { writers } from './writers';

export const emptying = new Emptying(db, () => localStorage);

/** Removes what was deleted and can't be brought back any more, files that nothing uses, folders of chats that are gone, changes that no reader is left for, and the index of nothing; keeps what pages left. */
export async function purge(): Promise<void> {
	await settleTails();
	const held = await heldFiles(navigator.locks);
	await new Trash(db).purgeUnfenced(clock(), held);
	await emptying.finish(clock(), held);
	await sweepFiles(db, clock(), held);
	await new ChangeReaders(db).trim();
	await discardIndexOfNothing();
	// A temporary chat knows of no folder.
	if (!isTemporary()) await new (await import('../storage/folders')).Folders(db).sweep();
}

/** Discards the search index with the last chat: where there is none, nothing starts what would rewrite it. */
async function discardIndexOfNothing(): Promise<void> {
	const [chats, parts] = await Promise.all([db.trees, db.segments].map((table) => table.limit(1).count()));
	if (chats === 0 && parts !== 0) await (await import('../search/index-store')).discardIndex(db);
}

/** Writes down what pages left of answers when they went, unless another tab is at it. */
async function settleTails(): Promise<void> {
	for (const sessionId of tails.sessionIds()) (await writers.open(sessionId))?.release();
}
