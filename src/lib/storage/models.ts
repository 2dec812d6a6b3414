import type { Database } from './database';
import type { LocalModel } from './tables/models';

/** The models on this device, oldest first. */
export class Models {
	constructor(private readonly db: Database) {}

	async list(): Promise<LocalModel[]> {
		return (await this.db.models.toArray()).sort((a, b) => a.createdAt - b.createdAt);
	}

	get(id: string): Promise<LocalModel | undefined> {
		return this.db.models.get(id);
	}

	async put(model: LocalModel): Promise<void> {
		await this.db.models.put(model);
	}

	async remove(id: string): Promise<void> {
		await this.db.models.delete(id);
	}
}
