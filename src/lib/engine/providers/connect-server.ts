import type { Clock } from '../../shared/clock';
import { AppError } from '../../shared/app-error';
import { normaliseBaseUrl } from '../../shared/server-address';
import type { ModelLists } from '../../storage/model-lists';
import type { Providers } from '../../storage/providers';
import { defaultProtocol, type Provider } from '../../storage/tables/providers';
import type { ProviderRegistry } from './registry';

/** A server as the user names it. */
export interface ServerAddress {
	/** The address; that of the one server that the protocol has if absent. */
	baseUrl?: string;
	apiKey?: string;
	name?: string;
	/** The id of its provider in the registry; that of an OpenAI-compatible server if absent. */
	protocol?: string;
}

export interface ConnectPorts {
	providers: Pick<Providers, 'list' | 'keyOf' | 'put'>;
	lists: Pick<ModelLists, 'put'>;
	registry: Pick<ProviderRegistry, 'get'>;
	newId: () => string;
	clock: Clock;
}

/** The characters of a header's value (RFC 9110, field-value). */
const canBeSent = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Asks a server for its models and keeps it with them, under the address where it was found. Throws AppErrors; then nothing is kept. */
export async function connectServer(
	{ baseUrl, apiKey, name, protocol }: ServerAddress,
	{ providers, lists, registry, newId, clock }: ConnectPorts
): Promise<{ provider: Provider; models: string[] }> {
	const wanted = protocol === undefined ? undefined : await registry.get(protocol, name);
	const url = normaliseBaseUrl(baseUrl ?? wanted?.servers?.baseUrl ?? '');
	const saved = await providers.list();
	const before = saved.find((provider) => provider.baseUrl === url);
	const speaks = protocol ?? before?.protocol ?? defaultProtocol;
	const spoken = wanted ?? (await registry.get(speaks, name));
	// Any other address is known by its host, also one that speaks as a service does.
	const defaultName = url === spoken.servers?.baseUrl ? spoken.label : new URL(url).host;
	const server = { name: name ?? before?.name ?? defaultName, protocol: speaks };
	// A header is sent without the blanks at its ends.
	const given = apiKey?.trim();
	if (given && !canBeSent.test(given)) throw new AppError('key-unfit', 'This API key has characters that no key can have. Copy it again.');
	const key = given || (before && (await providers.keyOf(before.id)));
	const { models, traits = {}, baseUrl: found = url } = await spoken.listModels({ ...server, baseUrl: url, ...(key ? { apiKey: key } : {}) });
	const known = saved.find((provider) => provider.baseUrl === found);
	const provider: Provider = { ...(known ?? { id: newId(), createdAt: clock() }), ...server, baseUrl: found };
	await providers.put(provider, given || undefined);
	await lists.put({ providerId: provider.id, models, traits, at: clock() });
	return { provider, models };
}
