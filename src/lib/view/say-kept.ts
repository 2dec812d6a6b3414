import { conversations } from '../app/conversations';
import { undoMilliseconds } from '../storage/undo';
import { offerFromTrash } from './branches';
import { notify } from './notices.svelte';
import { keepInTab, nameInSession } from './tab-text';

/** Says, once, that a chat was kept from a temporary one, and offers back what was deleted in it just before: the page that did so is gone. */
export async function sayKept(sessionId: string): Promise<void> {
	keepInTab(nameInSession(sessionId, 'kept'), undefined);
	const deleted = (await conversations.trash.list()).filter((item) => item.kind !== 'session' && item.sessionId === sessionId);
	if (deleted.length === 0) return void notify({ text: 'The chat was kept.', milliseconds: 8000 });
	// It can be brought back as long as that is offered.
	await conversations.trash.prolong(deleted.map(({ id }) => ({ id, purgeAt: Date.now() + undoMilliseconds })));
	offerFromTrash('The chat was kept, without what you have just deleted.', sessionId, deleted.map(({ id }) => id));
}
