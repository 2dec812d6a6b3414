import type { Database } from './database';
import type { ModelListRow } from './tables/model-lists';

/** The models of servers by name, as each last listed them. */
export class ModelLists {
	constructor(private readonly db: Database) {}

	/** Returns all lists, by the server's id. */
	async all(): Promise<Map<string, ModelListRow>> {
		return new Map((await this.db.modelLists.toArray()).map((row) => [row.providerId, row]));
	}

	/** Keeps the models that a server lists, if it is here. */
	put(row: ModelListRow): Promise<void> {
		const { providers, modelLists } = this.db;
		return this.db.transaction('rw', providers, modelLists, async () => {
			if (await providers.get(row.providerId)) await modelLists.put(row);
		});
	}
}
