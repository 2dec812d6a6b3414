import type { Message } from '../../conversation/message';

/** A strategy that needs no model [Z6]. It is given what it is to stand for bit by bit, so that the page never stalls. */
export interface CompactionStrategy {
	/** The next message, oldest first. System messages do not come. */
	add: (message: Message) => void;
	/** The summary of all that was added, without its tag, in at most `maxCharacters` UTF-16 units. */
	text: (maxCharacters: number) => string;
}
