import { textOf, type Message } from '../conversation/message';
import { openFence } from '../markdown/fenced';

/** The most that is read of the answers before one, in UTF-16 units: it is read again for each answer that is drawn. */
const maxRead = 200_000;

/** Returns the line that opens the code in which the answer `parentId` ended, with those that it went on from: what goes on with it is code at first. '' where that is no answer, or a longer one than is read. */
export function codeBefore(parentId: string | null, path: readonly Message[]): string {
	const answers: Message[] = [];
	let at = path.findLastIndex(({ id }) => id === parentId);
	for (let room = maxRead; path[at]?.role === 'assistant' && (room -= textOf(path[at]!).length) >= 0; at--) answers.unshift(path[at]!);
	return answers.reduce((open, answer) => openFence(open + textOf(answer)), '');
}
