import { heldFiles } from '../locks/files';
import { ChangeReaders } from '../storage/change-readers';
import { Trash } from '../storage/trash';
import { attachments } from './attachments';
import { clock, db } from './environment';
import { tails } from './settle';
import { writers } from './writers';

/** Removes what was deleted and can't be brought back any more, files that nothing uses, and changes that no reader is left for; keeps what pages left. */
export async function purge(): Promise<void> {
	await settleTails();
	await new Trash(db).purgeUnfenced(clock());
	await attachments.sweep(clock(), await heldFiles(navigator.locks));
	await new ChangeReaders(db).trim();
}

/** Writes down what pages left of answers when they went, unless another tab is at it. */
async function settleTails(): Promise<void> {
	for (const sessionId of tails.sessionIds()) (await writers.open(sessionId))?.release();
}
