import type { Database } from './database';

/** A server that answers. `baseUrl` has no trailing slash; its key is in `secrets`. */
export interface Provider {
	id: string;
	name: string;
	baseUrl: string;
	/** The id of the provider that knows how to talk to it; see `protocolOf`. */
	protocol?: string;
	createdAt: number;
}

/** What the id of a provider looks like. A later version may know more of them than this one. */
export const protocolForm = /^[a-z0-9-]{1,40}$/;

/** The protocol of servers whose row names none. */
export const defaultProtocol = 'openai-compatible';

export function protocolOf({ protocol = defaultProtocol }: Pick<Provider, 'protocol'>): string {
	return protocol;
}

/** The servers that the person has named, oldest first, and the keys that they ask for. */
export class Providers {
	constructor(private readonly db: Database) {}

	async list(): Promise<Provider[]> {
		return (await this.db.providers.toArray()).sort((a, b) => a.createdAt - b.createdAt);
	}

	get(id: string): Promise<Provider | undefined> {
		return this.db.providers.get(id);
	}

	/** The API key of a server, to be sent to that server only. */
	async keyOf(id: string): Promise<string | undefined> {
		const apiKey: unknown = (await this.db.secrets.get(id))?.apiKey;
		return typeof apiKey === 'string' ? apiKey : undefined;
	}

	/** The ids of the servers whose API key is stored. */
	async withKey(): Promise<Set<string>> {
		return new Set(await this.db.secrets.toCollection().primaryKeys());
	}

	/** Keeps a server, and its key where one is given; a key that was there before stays otherwise. */
	async put(provider: Provider, apiKey?: string): Promise<void> {
		const { providers, secrets } = this.db;
		await this.db.transaction('rw', providers, secrets, async () => {
			await providers.put(provider);
			if (apiKey !== undefined) await secrets.put({ id: provider.id, apiKey });
		});
	}

	async remove(id: string): Promise<void> {
		const { providers, secrets } = this.db;
		await this.db.transaction('rw', providers, secrets, async () => {
			await providers.delete(id);
			await secrets.delete(id);
		});
	}
}
