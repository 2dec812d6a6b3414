import type { Message, Role } from '../../conversation/message';
import { Newest } from './newest';
import { previewOf } from './preview';
import { extrasOf, speakerOf, wordsOf } from './said';
import type { CompactionStrategy } from './strategy';
import { withoutTag } from './tag';

/** Number of UTF-16 units of a message that are shown [Z6]. */
export const previewLengths: Record<Role, number> = { system: 80, user: 80, assistant: 100, tool: 80 };

/** A line a message [Z6]. The newest are kept where there is not room for all. */
export function simple(): CompactionStrategy {
	const newest = new Newest<{ line: string; size: number }>();
	let count = 0;

	return {
		add(message) {
			const line = lineOf(message);
			newest.push({ line, size: line.length + 1 });
			count++;
		},

		text(maxCharacters) {
			const lines = newest.list().map(({ line }) => line);
			const all = lines.join('\n');
			if (lines.length === count && all.length <= maxCharacters) return withoutTag(all);
			let from = lines.length;
			let room = maxCharacters - notListed(count).length;
			while (from > 0 && room > lines[from - 1]!.length) room -= lines[--from]!.length + 1;
			const summary = [notListed(count - lines.length + from), ...lines.slice(from)].join('\n');
			return summary.length <= maxCharacters ? withoutTag(summary) : '';
		}
	};
}

/** A message on one line: `Assistant: Let me look. · calls search, read_file`. */
export function lineOf(message: Message): string {
	const words = message.parts.map(wordsOf).filter((part) => part !== undefined);
	const pieces = [previewOf(words.join(' '), previewLengths[message.role]), extrasOf(message)].filter((piece) => piece !== '');
	return `${speakerOf(message)}: ${pieces.length > 0 ? pieces.join(' · ') : '[nothing]'}`;
}

/** The first line of a summary that does not have all messages. */
export function notListed(count: number): string {
	return count === 1 ? '1 earlier message is not listed.' : `${count} earlier messages are not listed.`;
}
