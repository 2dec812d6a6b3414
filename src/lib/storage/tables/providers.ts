import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

const provider = v.object({ id, name: text, baseUrl: text, createdAt: time });

/** A server that answers in the OpenAI way. `baseUrl` has no trailing slash; its key is in `secrets`. */
export type Provider = v.InferOutput<typeof provider>;

export const providers = {
	schema: provider,
	key: 'id',
	indexes: { 1: '' },
	scope: 'shared',
	secrets: 'server',
	backup: 'offer'
} as const satisfies TableDefinition<Provider>;
