import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text } from './fields';
import { filePart } from './messages';

const draft = v.object({
	sessionId: id,
	composer: text,
	attachments: v.exactOptional(v.array(filePart)),
	/** The text of each message that is being edited, by message id. */
	edits: v.exactOptional(v.record(id, text))
});

/** Text that was written in a session and is not sent [E11]: in its composer, and in edits of its messages. One row a session. */
export type Draft = v.InferOutput<typeof draft>;

export const drafts = {
	schema: draft,
	key: 'sessionId',
	indexes: { 1: '' },
	scope: 'session',
	purge: 'last-and-alone',
	backup: 'conversation'
} as const satisfies TableDefinition<Draft>;
