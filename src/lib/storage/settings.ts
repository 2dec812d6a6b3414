import type { Database } from './database';
import type { SettingName, SettingValues } from './tables/settings';

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

	/** The system prompt as it is sent. */
	async systemPrompt(): Promise<string> {
		return (await this.promptAsTyped()).trim();
	}

	/** The system prompt as it was typed, spaces around it included. */
	async promptAsTyped(): Promise<string> {
		return (await this.get('systemPrompt')) ?? defaultSystemPrompt;
	}

	/** Stores what `next` makes of the system prompt as it was typed by then, and returns it: one transaction. */
	changePrompt(next: (typed: string) => string): Promise<string> {
		return this.db.transaction('rw', this.db.settings, async () => {
			const text = next(await this.promptAsTyped());
			await (text === defaultSystemPrompt ? this.unset('systemPrompt') : this.set('systemPrompt', text));
			return text;
		});
	}
}
