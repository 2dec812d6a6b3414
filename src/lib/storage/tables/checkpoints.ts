import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text } from './fields';

const call = v.object({
	answerId: id,
	toolCallId: text,
	decided: v.exactOptional(v.picklist(['allowed', 'denied'])),
	/** The user's words to the model. */
	word: v.exactOptional(text),
	/** Digest of the call as the user saw it; what has changed since is asked again. */
	seen: v.exactOptional(text),
	/** Its effect may be there, since no result says what came of it. */
	begun: v.exactOptional(v.literal(true))
});

/** The state of a call that has no result yet. */
export type CallState = v.InferOutput<typeof call>;

/** The user's decision about a call. */
export type Decision = NonNullable<CallState['decided']>;

const checkpoint = v.object({ sessionId: id, calls: v.array(call) });

/** The place of a turn of this device whose model called what asks first: the calls that were decided, or have begun [Z8]. */
export type Checkpoint = v.InferOutput<typeof checkpoint>;

export const checkpoints = {
	schema: checkpoint,
	key: 'sessionId',
	indexes: { 13: '' },
	scope: 'device',
	purge: 'last-and-alone'
} as const satisfies TableDefinition<Checkpoint>;
