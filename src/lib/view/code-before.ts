import { textOf, type Message } from '../conversation/message';
import { openFence } from '../markdown/fenced';

/** Returns the line that opens the code in which the answer ended that a message goes on with, where it does: what follows is code then. */
export function codeBefore({ role, parentId }: Message, path: readonly Message[]): string {
	const answers: Message[] = [];
	let at = role === 'assistant' ? path.findLastIndex(({ id }) => id === parentId) : -1;
	for (; path[at]?.role === 'assistant'; at--) answers.unshift(path[at]!);
	return answers.reduce((open, answer) => openFence(open + textOf(answer)), '');
}
