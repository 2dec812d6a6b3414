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

	/** Stores what `next` makes of a value, undefined for none: one transaction. */
	change<N extends SettingName>(name: N, next: (value: SettingValues[N] | undefined) => SettingValues[N] | undefined): Promise<void> {
		return this.db.transaction('rw', this.db.settings, async () => {
			const value = next(await this.get(name));
			await (value === undefined ? this.unset(name) : this.set(name, value));
		});
	}

	async unset(name: SettingName): Promise<void> {
		await this.db.settings.delete(name);
	}
}
