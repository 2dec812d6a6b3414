import { app } from '../app';
import { Live } from './live.svelte';

const rows = new Live(async () => {
	const [systemPrompt, persistence] = await Promise.all([app.settings.systemPrompt(), app.settings.get('persistence')]);
	return { systemPrompt, persistence };
});

export const settings = {
	/** Undefined while loading. */
	get systemPrompt() {
		return rows.current?.systemPrompt;
	},
	/** What the browser said when it was asked to keep this data; undefined before that. */
	get persistence() {
		return rows.current?.persistence;
	},
	setSystemPrompt(text: string): Promise<void> {
		return app.settings.set('systemPrompt', text.trim());
	}
};
