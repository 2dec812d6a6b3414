import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id } from './fields';

const attachmentUse = v.object({ attachmentId: id, messageId: id, sessionId: id });

/** A message's use of an attachment. Rows come and go with messages. */
export type AttachmentUse = v.InferOutput<typeof attachmentUse>;

export const attachmentUses = {
	schema: attachmentUse,
	key: ['attachmentId', 'messageId'],
	indexes: { 2: 'sessionId, messageId' },
	scope: 'session',
	sessionIndex: 'sessionId',
	purge: 'last',
	backup: 'from-messages'
} as const satisfies TableDefinition<AttachmentUse>;
