import type { Message } from '../../conversation/message';
import type { Session } from '../../conversation/session';
import type { ScratchpadEntry } from '../../storage/tables/scratchpad';

/**
 * A session as it is exported: the messages of every branch, in any order, and the one that the branch one is on ends with; the user's labels
 * of them, by id; the notes, the to-do list among them, by name.
 */
export interface ExportedSession {
	session: Session;
	messages: Message[];
	headId: string;
	labels: ReadonlyMap<string, string>;
	notes: ScratchpadEntry[];
}

/** A kind of file that a session can be written as [A13]. */
export interface ExportFormat {
	/** The end of its files' names, without a dot. */
	extension: string;
	mediaType: string;
	/** Writes the session in pieces, which may end anywhere. The same rows make the same bytes, whenever and wherever. */
	write(exported: ExportedSession): Iterable<string | Uint8Array<ArrayBuffer>>;
}
