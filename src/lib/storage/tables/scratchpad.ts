import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

const entry = v.object({ sessionId: id, name: text, content: text, createdAt: time, updatedAt: time });

/**
 * A named note of one session [A7]: two sessions may use one name. It survives everything but the session's deletion.
 * The to-do list is the entry named `todo`, a Markdown task list. Times are epoch milliseconds.
 */
export type ScratchpadEntry = v.InferOutput<typeof entry>;

export const scratchpad = {
	schema: entry,
	key: ['sessionId', 'name'],
	indexes: { 2: '' },
	scope: 'session',
	isSearchable: true,
	purge: 'last-and-alone',
	backup: 'conversation'
} as const satisfies TableDefinition<ScratchpadEntry>;
