import type { Database } from './database';
import type { SettingName, SettingValues } from './tables/settings';

export class Settings {
	constructor(private readonly db: Database) {}

	async get<N extends SettingName>(name: N): Promise<SettingValues[N] | undefined> {
		return (await this.db.settings.get(name))?.value as SettingValues[N] | undefined;
	}

	async set<N extends SettingName>(name: N, value: SettingValues[N]): Promise<void> {
		await this.db.settings.put({ name, value });
	}

	async unset(name: SettingName): Promise<void> {
		await this.db.settings.delete(name);
	}
}
