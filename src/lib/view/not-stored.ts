import { app } from '../app';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import { beginning } from './beginning';

interface FirstMessage {
	id: string;
	begins?: ChatBeginning;
}

/**
 * Returns those of messages that are not stored: a page was sending them when it went. The choices that they take for their chats are those of the
 * new chat again, if `isStill` tells that someone waits for that. Rejects where it can't be known.
 */
export async function notStored<T extends FirstMessage>(sent: T[], isStill: () => boolean): Promise<T[]> {
	const { messages } = await app.openConversations();
	const stored = await Promise.all(sent.map(({ id }) => messages.get(id)));
	const unsent = sent.filter((_, index) => !stored[index]);
	if (isStill()) for (const { begins } of unsent) if (begins) beginning.putBack(begins);
	return unsent;
}
