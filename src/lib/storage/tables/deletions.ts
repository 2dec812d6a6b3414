import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

const deletion = v.variant('kind', [
	v.object({ kind: v.picklist(['session', 'attachment', 'server']), id, at: time }),
	/** Of a branch its first message stands for all that follows. */
	v.object({ kind: v.picklist(['branch', 'boundary']), id, sessionId: id, at: time }),
	v.object({ kind: v.literal('note'), id: text, sessionId: id, at: time })
]);

/**
 * A tombstone: that something was removed for good, and when it was deleted. Of a session that is gone there is one, and none of what was in it.
 * What a tombstone names is not here, in the trash neither.
 */
export type Deletion = v.InferOutput<typeof deletion>;

export const deletions = {
	schema: deletion,
	key: 'id',
	indexes: { 8: 'sessionId' },
	scope: 'shared',
	backup: 'where-gone'
} as const satisfies TableDefinition<Deletion>;
