import { conversations } from '../app/conversations';
import { notify, offerBack } from './notices.svelte';

/** Says that a chat was kept from a temporary one, and offers back what was deleted in it just before: the page that did so is gone. */
export async function sayKept(sessionId: string): Promise<void> {
	const deleted = (await conversations.trash.list()).filter((item) => item.kind !== 'session' && item.sessionId === sessionId).map(({ id }) => id);
	if (deleted.length === 0) notify({ text: 'The chat was kept.', milliseconds: 8000 });
	else offerBack('The chat was kept, without what you have just deleted.', () => conversations.trash.restore(deleted));
}
