import { app } from '../app';
import { defaultPrompt } from '../app/default-prompt';
import { Live } from './live.svelte';
import { TypedText } from './typed-text.svelte';

const rows = new Live(async () => {
	const [systemPrompt, persistence] = await Promise.all([defaultPrompt.asTyped(), app.settings.get('persistence')]);
	return { systemPrompt, persistence };
});

export const settings = {
	/** Undefined while loading. */
	get systemPrompt() {
		return rows.current?.systemPrompt;
	},
	/** The browser's answer when it was asked to keep this data; undefined before that. */
	get persistence() {
		return rows.current?.persistence;
	}
};

/** The system prompt, to be shown and changed. */
export const promptText = new TypedText((next) => defaultPrompt.change(next), () => 'prompt', 'your system prompt');
