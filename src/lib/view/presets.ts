import { conversations } from '../app/conversations';
import { defaultPrompt } from '../app/default-prompt';
import { presets } from '../app/presets';
import { sendsSame } from '../conversation/same-preset';
import { AppError } from '../shared/app-error';
import type { NextChoices } from '../storage/prompts';
import type { Preset } from '../storage/tables/presets';
import { beginning } from './beginning.svelte';
import type { ChatPrompt } from './chat-prompt.svelte';
import { Live } from './live.svelte';
import { offerBack, reportFailure, tryOrReport } from './notices.svelte';
import type { ChatParameters } from './parameters.svelte';
import { promptField } from './prompt-field';

/** The presets of all chats, and what is set in one chat, or in a new one, which may be one of them. */
export class ChatPresets {
	private readonly stored: Live<{ all: Preset[]; applied: string | undefined }>;

	constructor(
		private readonly sessionId: string | undefined,
		private readonly prompt: ChatPrompt,
		private readonly parameters: ChatParameters
	) {
		this.stored = new Live(async () => {
			const [all, own] = await Promise.all([presets.list(), sessionId === undefined ? undefined : conversations.sessionSettings.get(sessionId)]);
			return { all, applied: own?.preset };
		});
	}

	/** All of them, by name; undefined while loading. */
	get all(): Preset[] | undefined {
		return this.stored.current?.all;
	}

	/** The one that sets what the chat has set, the one that was last put there before others; undefined if none does. */
	get current(): Preset | undefined {
		const { own } = this.parameters;
		if (this.prompt.text === undefined || !own) return undefined;
		const set = { systemPrompt: this.prompt.typed, parameters: own };
		const same = this.all?.filter((preset) => sendsSame(preset, set)) ?? [];
		const applied = this.sessionId === undefined ? beginning.current.preset : this.stored.current?.applied;
		return same.find(({ name }) => name === applied) ?? same[0];
	}

	/** Puts one in the place of what is set, and offers that back. The result is false where that can't be stored, which is said: then all is as it was. */
	apply({ name, systemPrompt, parameters = {} }: Preset): Promise<boolean> {
		return tryOrReport(async () => {
			const applied: NextChoices = { systemPrompt, parameters, preset: name };
			let before = applied;
			await this.change((now) => {
				before = now;
				return applied;
			});
			offerBack(`“${name}” applied.`, () =>
				this.change((now) => {
					if (now.preset !== name || !sendsSame(now, applied)) throw new AppError('preset-changed', 'These settings have changed since, so they stay as they are.');
					return before;
				})
			);
		});
	}

	/** Stores what is set under a name; one that had it is offered back. The result is false where that can't be stored, which is said. */
	save(name: string): Promise<boolean> {
		return tryOrReport(async () => {
			let preset: Omit<Preset, 'createdAt'> = { name, systemPrompt: '' };
			await this.change((now) => {
				const { systemPrompt, parameters } = now;
				preset = { name, systemPrompt, ...(Object.keys(parameters).length > 0 && { parameters }) };
				return { ...now, preset: name };
			});
			const before = await presets.save(preset);
			if (before && !sendsSame(before, preset)) offerBack(`“${name}” replaced.`, () => presets.putBack(before, preset));
		});
	}

	/** Removes one, and offers it back. */
	remove(preset: Preset): Promise<void> {
		return reportFailure(async () => {
			await presets.remove(preset.name);
			offerBack(`“${preset.name}” deleted.`, () => presets.putBack(preset));
		});
	}

	/** Stores what `next` makes of what is set by then, all of it or nothing: what is shown may be older, once the dialog is closed. */
	private async change(next: (now: NextChoices) => NextChoices): Promise<void> {
		const { sessionId } = this;
		if (sessionId !== undefined) return promptField(sessionId).between(() => conversations.changeNext(sessionId, next));
		const inForce = await defaultPrompt.asTyped();
		const { systemPrompt: typed = inForce, parameters: own = {}, preset: put } = beginning.current;
		const { systemPrompt, parameters, preset } = next({ systemPrompt: typed, parameters: own, preset: put });
		beginning.change({
			systemPrompt: systemPrompt === inForce ? undefined : systemPrompt,
			parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
			preset
		});
	}
}
