import type { Database } from './database';

/**
 * A model on this device. The row is written after its file `<id>.gguf` in OPFS is whole and checked, so a row means a
 * usable file. `bytes` is the file's size, `sha256` its hash in lower-case hex. `contextLength` is in tokens, as the file
 * says; `url` is where it was downloaded from.
 */
export interface LocalModel {
	id: string;
	name: string;
	bytes: number;
	sha256: string;
	architecture: string;
	contextLength: number;
	hasChatTemplate: boolean;
	url?: string;
	createdAt: number;
}

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
