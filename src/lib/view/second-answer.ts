import { conversations } from '../app/conversations';
import type { Message } from '../conversation/message';
import { Live } from './live.svelte';

/** The message that an answer beside another has become; undefined until then, and once it is deleted. */
export function storedAnswer(messageId: string): Live<Message | undefined> {
	return new Live(() => conversations.messages.get(messageId));
}
