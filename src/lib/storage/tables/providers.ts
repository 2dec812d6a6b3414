import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

/** The form of a provider's id. A later version may know more of them than this one. */
export const protocolForm = /^[a-z0-9-]{1,40}$/;

const provider = v.object({ id, name: text, baseUrl: text, protocol: v.exactOptional(v.pipe(text, v.regex(protocolForm))), createdAt: time });

/** A server that answers. `baseUrl` has no trailing slash; its key is in `secrets`, and `protocol` is as in `protocolOf`. */
export type Provider = v.InferOutput<typeof provider>;

/** The protocol of servers whose row names none. */
export const defaultProtocol = 'openai-compatible';

/** Returns the id of the provider that knows how to talk to a server. */
export function protocolOf({ protocol = defaultProtocol }: Pick<Provider, 'protocol'>): string {
	return protocol;
}

export const providers = {
	schema: provider,
	key: 'id',
	indexes: { 1: '' },
	scope: 'shared',
	secrets: 'server',
	backup: 'offer'
} as const satisfies TableDefinition<Provider>;
