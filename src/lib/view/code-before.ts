import { textOf, type Message } from '../conversation/message';
import { openFence } from '../markdown/fenced';

/** The most that is read of the answers before one, and the longest line that opens code there, in UTF-16 units: they are read again for each answer that is drawn. */
const [maxRead, maxLine] = [200_000, 200];

/** Returns the line that opens the code in which the answer `parentId` ended, with those that it went on from: what goes on with it is code at first. '' where that is no answer, or they are longer than is read. */
export function codeBefore(parentId: string | null, path: readonly Message[]): string {
	const answers: Message[] = [];
	let at = path.findLastIndex(({ id }) => id === parentId);
	for (let room = maxRead; path[at]?.role === 'assistant'; at--) {
		room -= textOf(path[at]!).length;
		if (room < 0) return '';
		answers.unshift(path[at]!);
	}
	return answers.reduce((open, answer) => {
		const line = openFence(open + textOf(answer));
		return line.length > maxLine ? '' : line;
	}, '');
}
