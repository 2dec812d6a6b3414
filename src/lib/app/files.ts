import type { FilePart } from '../conversation/message';
import { holdFile as hold } from '../locks/files';
import { clock } from './environment';

/** Keeps a file and returns the part that a message has of it [S11]. Throws an AppError that names the file; then nothing is kept. */
export async function attachFile(file: File): Promise<FilePart> {
	const [{ attachFile: attach }, { attachments }] = await Promise.all([import('../engine/attachments/attach-file'), import('./attachments')]);
	return attach(file, { attachments, clock });
}

/** Keeps a file from being swept that no row names yet, until the returned function is called. */
export function holdFile(attachmentId: string): () => void {
	return hold(navigator.locks, attachmentId);
}
