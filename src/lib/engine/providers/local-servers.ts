import { AppError } from '../../shared/app-error';
import type { Asking, DefaultAddress, ModelList } from './provider';
import type { ProviderRegistry } from './registry';

/** A server on this computer. `failure` says why one that is there can't be used yet; `models` is then empty. */
export interface LocalServer extends ModelList {
	protocol: string;
	name: string;
	baseUrl: string;
	failure?: AppError;
}

/**
 * Looks for servers at the default addresses of all providers at once, and returns those that are there, also ones that need a key
 * or do not allow this page. Throws only the signal's abort. Each has 1.5 s unless told otherwise.
 */
export async function findLocalServers(registry: Pick<ProviderRegistry, 'all'>, asking: Asking = {}): Promise<LocalServer[]> {
	const providers = await registry.all();
	const found = await Promise.all(
		providers.flatMap(([protocol, provider]) =>
			provider.defaultAddresses.map(async ({ name, baseUrl, ownPort }: DefaultAddress): Promise<LocalServer | undefined> => {
				const server = { protocol, name, baseUrl };
				try {
					const { models } = await provider.listModels(server, { silenceMs: 1500, ...asking });
					return { ...server, models };
				} catch (error) {
					if (!(error instanceof AppError)) throw error;
					const isThere = error.code === 'server-unauthorised' || (error.code === 'server-blocked' && ownPort);
					return isThere ? { ...server, models: [], failure: error } : undefined;
				}
			})
		)
	);
	return found.filter((server) => server !== undefined);
}
