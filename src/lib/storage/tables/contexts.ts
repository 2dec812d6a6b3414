import * as v from 'valibot';
import { contextOverrides } from './context-overrides';
import type { TableDefinition } from './definition';
import { id } from './fields';

const context = v.object({
	sessionId: id,
	/**
	 * Ids of messages that are always sent, and of ones that never are; no id is in both. One whose message is gone stays, and
	 * says nothing.
	 */
	pins: v.array(id),
	excludes: v.array(id),
	settings: contextOverrides
});

/** Decisions of the user about what the model sees of one session; there is no row where they decided nothing. */
export type SessionContext = v.InferOutput<typeof context>;

export const contexts = {
	schema: context,
	key: 'sessionId',
	indexes: { 3: '' },
	scope: 'session',
	messageIds: ['pins', 'excludes'],
	purge: 'last-and-alone',
	backup: 'keep-own'
} as const satisfies TableDefinition<SessionContext>;
