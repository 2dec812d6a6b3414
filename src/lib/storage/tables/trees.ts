import * as v from 'valibot';
import type { Tree } from '../../conversation/tree';
import type { Assert, Same, TableDefinition } from './definition';
import { count, id, text, time } from './fields';

export const tip = v.object({ id, depth: count, forkId: v.nullable(id), forkDepth: count, fromId: v.nullable(id) });

const tree = v.object({
	sessionId: id,
	tips: v.pipe(v.array(tip), v.nonEmpty()),
	labels: v.record(text, text),
	mainTip: v.nullable(id),
	removed: v.array(id),
	redactedAt: v.exactOptional(time)
});

type _TreeAgrees = Assert<Same<v.InferOutput<typeof tree>, Tree>>;

export const trees = {
	schema: tree,
	key: 'sessionId',
	indexes: { 1: '' },
	scope: 'session',
	isSearchable: true,
	purge: 'last',
	repair: 'rebuild-tree',
	backup: 'conversation'
} as const satisfies TableDefinition<Tree>;
