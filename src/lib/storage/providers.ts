import type { Database } from './database';

/** A server that answers in the OpenAI way. `baseUrl` has no trailing slash; the key never leaves this table but to it. */
export interface Provider {
	id: string;
	name: string;
	baseUrl: string;
	apiKey?: string;
	createdAt: number;
}

/** The servers that the person has named, oldest first. */
export class Providers {
	constructor(private readonly db: Database) {}

	async list(): Promise<Provider[]> {
		return (await this.db.providers.toArray()).sort((a, b) => a.createdAt - b.createdAt);
	}

	get(id: string): Promise<Provider | undefined> {
		return this.db.providers.get(id);
	}

	async put(provider: Provider): Promise<void> {
		await this.db.providers.put(provider);
	}

	async remove(id: string): Promise<void> {
		await this.db.providers.delete(id);
	}
}
