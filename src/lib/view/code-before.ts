import { textOf, type Message } from '../conversation/message';
import { openFence } from '../markdown/fenced';

/** Returns the line that opens the code in which the answer `parentId` ended, with those that it went on from: what goes on with it is code at first. '' where that is no answer. */
export function codeBefore(parentId: string | null, path: readonly Message[]): string {
	const answers: Message[] = [];
	let at = path.findLastIndex(({ id }) => id === parentId);
	for (; path[at]?.role === 'assistant'; at--) answers.unshift(path[at]!);
	return answers.reduce((open, answer) => openFence(open + textOf(answer)), '');
}
