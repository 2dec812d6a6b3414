import { app } from '../app';
import type { FilePart } from '../conversation/message';
import { undoMilliseconds } from '../storage/undo';

/** Keeps files that are taken out of a composer from being swept for as long as they are offered back: no row uses them meanwhile. */
export function holdWhileOffered(files: FilePart[]): void {
	const held = files.map(({ attachmentId }) => app.holdFile(attachmentId));
	setTimeout(() => held.forEach((free) => free()), undoMilliseconds);
}
