import { presets } from '../app/presets';
import { parameterNames, type ParameterChanges } from '../conversation/model-parameters';
import { AppError } from '../shared/app-error';
import type { Preset } from '../storage/tables/presets';
import type { ChatPrompt } from './chat-prompt.svelte';
import { Live } from './live.svelte';
import { offerBack, reportFailure, tryOrReport } from './notices.svelte';
import type { ChatParameters } from './parameters.svelte';

type Values = Pick<Preset, 'systemPrompt' | 'parameters'>;

/** The presets of all chats, and what is set in one chat, which may be one of them. */
export class ChatPresets {
	private readonly stored = new Live(() => presets.list());

	constructor(
		private readonly prompt: ChatPrompt,
		private readonly parameters: ChatParameters
	) {}

	/** All of them, by name; undefined while loading. */
	get all(): Preset[] | undefined {
		return this.stored.current;
	}

	/** The one that sets what the chat has set; undefined if none does. */
	get current(): Preset | undefined {
		const values = this.values;
		return values && this.all?.find((preset) => isSame(preset, values));
	}

	/** Puts one in the place of what is set, and offers that back. */
	async apply(name: string): Promise<void> {
		const before = this.values;
		const preset = this.all?.find((one) => one.name === name);
		if (!before || !preset) return;
		await this.set(preset);
		offerBack(`“${name}” applied.`, async () => {
			const now = this.values;
			if (!now || !isSame(now, preset)) throw new AppError('preset-changed', 'These settings have changed since, so they stay as they are.');
			await this.set(before);
		});
	}

	/** Stores what is set under a name; one that had it is offered back. The result is false where that can't be stored, which is said. */
	save(name: string): Promise<boolean> {
		const values = this.values;
		if (!values) return Promise.resolve(false);
		return tryOrReport(async () => {
			const before = await presets.save({ name, ...values });
			if (before && !isSame(before, values)) offerBack(`“${name}” replaced.`, () => presets.save(before));
		});
	}

	/** Removes one, and offers it back. */
	remove(preset: Preset): Promise<void> {
		return reportFailure(async () => {
			await presets.remove(preset.name);
			offerBack(`“${preset.name}” deleted.`, () => presets.save(preset));
		});
	}

	private get values(): Values | undefined {
		const { own } = this.parameters;
		if (this.prompt.text === undefined || !own) return undefined;
		return { systemPrompt: this.prompt.typed, ...(Object.keys(own).length > 0 ? { parameters: own } : {}) };
	}

	private async set({ systemPrompt, parameters }: Values): Promise<void> {
		this.prompt.type(systemPrompt);
		await this.parameters.change(Object.fromEntries(parameterNames.map((name) => [name, parameters?.[name]])) as ParameterChanges);
	}
}

function isSame(one: Values, other: Values): boolean {
	return one.systemPrompt === other.systemPrompt && parameterNames.every((name) => JSON.stringify(one.parameters?.[name]) === JSON.stringify(other.parameters?.[name]));
}
