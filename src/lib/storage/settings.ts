import type { ContextOverrides } from '../conversation/context-settings';
import type { Database } from './database';

/** Where answers come from: a model on this device, or one of a server's. */
export type Source =
	| { kind: 'on-device'; modelId: string }
	| { kind: 'server'; providerId: string; model: string };

/** After how many days without a change a session goes, and above how many bytes the oldest go; null for never. */
export interface RetentionRule {
	days: number | null;
	maxBytes: number | null;
}

/** Every setting, by name, with the shape of its value. */
export interface SettingValues {
	/** Unset until the person, or the first model on this device, decides. */
	source: Source;
	/** Sent first in every new session; '' sends none. */
	systemPrompt: string;
	/** Whether the browser was asked to keep this data, and what it said. */
	persistence: 'granted' | 'denied';
	/** Which sessions go by themselves [A8]. Unset until the person switches it on: then nothing ever does. */
	retention: RetentionRule;
	/** The person has seen the rule that is offered. */
	retentionSeen: true;
	/** When a rule last took something by itself, or was last offered. */
	retentionCheckedAt: number;
	/** The last backup that was read back and found whole. */
	lastBackup: { at: number; bytes: number; counts: Record<string, number>; verified: true };
	/** Whether to be reminded of a backup; set to false only. */
	backupReminder: false;
	/** When a reminder of a backup was last shown. */
	backupRemindedAt: number;
	/** What of the model's context differs from its default everywhere, and then with each persona, by its name. */
	context: ContextOverrides;
	contextByPersona: Record<string, ContextOverrides>;
	/** Whether answers show what they took; set to true only. */
	showTokens: true;
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
