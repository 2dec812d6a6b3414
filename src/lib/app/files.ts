import { holdFile as hold } from '../locks/files';

/** Keeps a file from being swept that no row names yet, until the returned function is called. */
export function holdFile(attachmentId: string): () => void {
	return hold(navigator.locks, attachmentId);
}
