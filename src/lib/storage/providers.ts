import type { Database } from './database';
import type { Provider } from './tables/providers';

/** The servers that the user has named, oldest first, and the keys that they ask for. */
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
		const { providers, secrets, deletions } = this.db;
		await this.db.transaction('rw', providers, secrets, deletions, async () => {
			await providers.put(provider);
			await deletions.delete(provider.id);
			if (apiKey !== undefined) await secrets.put({ id: provider.id, apiKey });
		});
	}

	async remove(id: string, now: number): Promise<void> {
		const { providers, secrets, deletions, modelLists } = this.db;
		await this.db.transaction('rw', providers, secrets, deletions, modelLists, async () => {
			if ((await providers.where('id').equals(id).count()) === 0) return;
			await deletions.put({ kind: 'server', id, at: now });
			await providers.delete(id);
			await secrets.delete(id);
			await modelLists.delete(id);
		});
	}
}
