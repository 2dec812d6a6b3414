import type { Database } from './database';

/** Where answers come from: a model on this device, or one of a server's. */
export type Source =
	| { kind: 'on-device'; modelId: string }
	| { kind: 'server'; providerId: string; model: string };

/** Every setting, by name, with the shape of its value. */
export interface SettingValues {
	/** Unset until the person, or the first model on this device, decides. */
	source: Source;
	/** Sent first in every new session; '' sends none. */
	systemPrompt: string;
	/** Whether the browser was asked to keep this data, and what it said. */
	persistence: 'granted' | 'denied';
}

export type SettingName = keyof SettingValues;

/** One row a setting. Only what differs from its default is stored. */
export interface Setting {
	name: SettingName;
	value: SettingValues[SettingName];
}

export const defaultSystemPrompt = 'You are a helpful AI assistant named Snug. Answer clearly and briefly.';

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

	async systemPrompt(): Promise<string> {
		return (await this.get('systemPrompt')) ?? defaultSystemPrompt;
	}
}
