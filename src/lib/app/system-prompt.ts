import { db, settings } from './environment';

/** Stores what `next` makes of the system prompt that is stored by then, undefined for the default, and returns it: one transaction. */
export function changeSystemPrompt(next: (stored: string | undefined) => string): Promise<string> {
	return db.transaction('rw', db.settings, async () => {
		const text = next(await settings.get('systemPrompt'));
		await settings.set('systemPrompt', text);
		return text;
	});
}
