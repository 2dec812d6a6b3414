import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { count, id } from './fields';

const position = v.object({
	sessionId: id,
	/** Id of the last message of the active path. Not always a tip. */
	headId: id,
	/** Grows when a tab takes the session over; a tab that knows a smaller number may not write any more [A5]. */
	fence: count
});

/** The place of this device in a session: where its user is, and which of its tabs may write. One small row a session. */
export type Position = v.InferOutput<typeof position>;

export const positions = {
	schema: position,
	key: 'sessionId',
	indexes: { 9: '' },
	scope: 'device',
	purge: 'last',
	repair: 'find-head',
	backup: 'conversation'
} as const satisfies TableDefinition<Position>;
