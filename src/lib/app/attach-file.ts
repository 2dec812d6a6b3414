import type { FilePart } from '../conversation/message';
import { attachFile as attach } from '../engine/attachments/attach-file';
import { attachments } from './attachments';
import { clock } from './environment';

/** Keeps a file and returns the part that a message has of it [S11]. Throws an AppError that names the file, or the reason of an aborted signal; then nothing is kept. */
export function attachFile(file: File, signal?: AbortSignal): Promise<FilePart> {
	return attach(file, { attachments, clock, signal });
}
