import * as v from 'valibot';
import { strategyNames, type Boundary } from '../../conversation/boundary';
import type { Assert, Same, TableDefinition } from './definition';
import { amount, count, id, text, time, usage } from './fields';

export const boundary = v.object({
	id,
	sessionId: id,
	upToId: id,
	depth: count,
	excluded: v.array(id),
	strategy: v.picklist(strategyNames),
	summary: text,
	figures: v.object({ messagesBefore: count, messagesAfter: count, tokensBefore: amount, tokensAfter: amount }),
	madeAtDepth: count,
	automatic: v.boolean(),
	unverified: v.array(text),
	note: v.exactOptional(text),
	usage: v.exactOptional(usage),
	createdAt: time
});

type _BoundaryAgrees = Assert<Same<v.InferOutput<typeof boundary>, Boundary>>;

export const boundaries = {
	schema: boundary,
	key: 'id',
	indexes: { 3: '[sessionId+depth]' },
	scope: 'session',
	sessionIndex: '[sessionId+depth]',
	purge: 'last-and-alone',
	backup: 'conversation'
} as const satisfies TableDefinition<Boundary>;
