import type { Database } from './database';
import { Settings } from './settings';

export const defaultSystemPrompt = 'You are a helpful AI assistant named Snug. Answer clearly and briefly.';

/** The system prompt of new chats. */
export class DefaultPrompt {
	private readonly settings: Settings;

	constructor(private readonly db: Database) {
		this.settings = new Settings(db);
	}

	/** Returns it as it is sent. */
	async text(): Promise<string> {
		return (await this.asTyped()).trim();
	}

	/** Returns it as it was typed, spaces around it included. */
	async asTyped(): Promise<string> {
		return (await this.settings.get('systemPrompt')) ?? defaultSystemPrompt;
	}

	/** Stores what `next` makes of what was typed by then, and returns it: one transaction. */
	change(next: (typed: string) => string): Promise<string> {
		return this.db.transaction('rw', this.db.settings, async () => {
			const text = next(await this.asTyped());
			await (text === defaultSystemPrompt ? this.settings.unset('systemPrompt') : this.settings.set('systemPrompt', text));
			return text;
		});
	}
}
