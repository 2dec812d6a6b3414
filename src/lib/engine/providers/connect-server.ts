import type { Clock } from '../../shared/clock';
import { normaliseBaseUrl } from '../../shared/server-address';
import type { Provider, Providers } from '../../storage/providers';
import type { Reach } from './server-failure';
import { listModels } from './servers';

/** A server as the user names it. */
export interface ServerAddress {
	baseUrl: string;
	apiKey?: string;
	name?: string;
}

export interface ConnectPorts {
	providers: Pick<Providers, 'list' | 'keyOf' | 'put'>;
	reach: Reach;
	newId: () => string;
	clock: Clock;
}

/** Asks a server for its models and keeps it, under the address where it was found. Throws AppErrors; then nothing is kept. */
export async function connectServer(
	{ baseUrl, apiKey, name }: ServerAddress,
	{ providers, reach, newId, clock }: ConnectPorts
): Promise<{ provider: Provider; models: string[] }> {
	const url = normaliseBaseUrl(baseUrl);
	const saved = await providers.list();
	const before = saved.find((provider) => provider.baseUrl === url);
	const server = { name: name ?? before?.name ?? new URL(url).host, baseUrl: url };
	// A header is sent without the blanks at its ends.
	const given = apiKey?.trim();
	const key = given || (before && (await providers.keyOf(before.id)));
	const found = await listModels({ ...server, ...(key ? { apiKey: key } : {}) }, { reach });
	const known = saved.find((provider) => provider.baseUrl === found.baseUrl);
	const provider: Provider = { ...(known ?? { id: newId(), createdAt: clock() }), ...server, baseUrl: found.baseUrl };
	await providers.put(provider, given || undefined);
	return { provider, models: found.models };
}
