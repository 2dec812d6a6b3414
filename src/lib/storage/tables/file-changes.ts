import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

const row = v.object({
	id,
	sessionId: id,
	folderId: id,
	path: text,
	/** Content of the file before; absent where it is new. */
	before: v.exactOptional(v.blob()),
	/** The SHA-256 of what the change makes of it. */
	after: text,
	/** The topmost folder that was made for it. */
	made: v.exactOptional(text),
	/** The call that made the change: the id of its answer, a slash, its own id. */
	call: v.exactOptional(text),
	at: time,
	/** `begun`: the file may be as it was, or changed. */
	state: v.picklist(['begun', 'done', 'undone'])
});

/** A change of a file in a chat's folder, kept before it is made, so that it can be undone. */
export type FileChange = v.InferOutput<typeof row>;

export const fileChanges = {
	schema: row,
	key: 'id',
	indexes: { 14: 'sessionId' },
	scope: 'device',
	sessionIndex: 'sessionId',
	purge: 'last-and-alone'
} as const satisfies TableDefinition<FileChange>;
