import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

/** The form of a provider's id. A later version may know more of them than this one. */
export const protocolForm = /^[a-z0-9-]{1,40}$/;

const provider = v.object({
	id,
	name: text,
	/** Has no trailing slash. */
	baseUrl: text,
	/** The id of the provider that knows how to talk to it; see `protocolOf`. */
	protocol: v.exactOptional(v.pipe(text, v.regex(protocolForm))),
	createdAt: time
});

/** A server that answers. Its key is in `secrets`. */
export type Provider = v.InferOutput<typeof provider>;

export const providers = {
	schema: provider,
	key: 'id',
	indexes: { 1: '' },
	scope: 'shared',
	secrets: 'server',
	backup: 'offer'
} as const satisfies TableDefinition<Provider>;
