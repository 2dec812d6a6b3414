import { app } from '../app';
import { beginning } from './beginning';
import type { Sent } from './composer.svelte';

/**
 * Returns those of messages that are not stored: a page was sending them when it went. The choices that they take for their chats are those of the
 * new chat again, if `isStill` tells that someone waits for that. Rejects where it can't be known.
 */
export async function notStored(sent: Sent[], isStill: () => boolean): Promise<Sent[]> {
	const { messages } = await app.openConversations();
	const stored = await Promise.all(sent.map(({ id }) => messages.get(id)));
	const unsent = sent.filter((_, index) => !stored[index]);
	if (isStill()) for (const { begins } of unsent) if (begins) beginning.putBack(begins);
	return unsent;
}
