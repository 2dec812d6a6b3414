import type { Message } from '../../conversation/message';
import { mayHaveFence, splitFences, type Fence } from './fences';
import { maxKept, Newest } from './newest';
import { previewOf } from './preview';
import { extrasOf, speakerOf, wordsOf } from './said';
import { lineOf, notListed, previewLengths } from './simple';
import type { CompactionStrategy } from './strategy';
import { withoutTag } from './tag';

/** A line, or fenced code with the line that stands for it where there is no room. Sizes have the line end. */
interface Item {
	/** Index of its message, from 0. */
	message: number;
	whole: string;
	short: string;
	size: number;
}

/**
 * Fenced code as it was written, whatever the fence, and previews of the prose around it [Z6]. Where there is not room
 * for all, half of it is for lines, the newest first, then the newest code is kept whole, then older lines come.
 */
export function codeAware(): CompactionStrategy {
	const newest = new Newest<Item>();
	let [count, added] = [0, 0];

	return {
		add(message) {
			for (const { whole, short } of itemsOf(message)) {
				newest.push({ message: count, whole, short, size: whole.length + 1 });
				added++;
			}
			count++;
		},

		text(maxCharacters) {
			const items = newest.list();
			const size = items.reduce((sum, item) => sum + item.size, 0);
			if (items.length === added && size - 1 <= maxCharacters) return withoutTag(items.map(({ whole }) => whole).join('\n'));
			const lines = newestOf(items, maxCharacters - notListed(count).length - '\n…'.length);
			const [first, before] = [items[items.length - lines.length], items[items.length - lines.length - 1]];
			const isCut = first !== undefined && first.message === before?.message;
			const head = [...((first?.message ?? count) > 0 ? [notListed(first?.message ?? count)] : []), ...(isCut ? ['…'] : [])];
			const summary = [...head, ...lines].join('\n');
			return summary.length <= maxCharacters ? withoutTag(summary) : '';
		}
	};
}

/** The lines and code blocks of a message, in its order. Each line says who speaks. */
function itemsOf(message: Message): { whole: string; short: string }[] {
	const texts = message.parts.map(wordsOf).filter((words) => words !== undefined);
	const line = (text: string) => ({ whole: text, short: text });
	if (!texts.some(mayHaveFence)) return [line(lineOf(message))];
	const speaker = speakerOf(message);
	const max = previewLengths[message.role];
	const items = texts.flatMap(splitFences).flatMap((block) => {
		if (block.kind === 'fence') return [codeOf(block)];
		const preview = previewOf(block.text, max);
		return preview === '' ? [] : [line(`${speaker}: ${preview}`)];
	});
	if (items[0] && items[0].whole !== items[0].short) items.unshift(line(`${speaker}:`));
	const extras = extrasOf(message);
	return extras === '' ? items : [...items, line(`${speaker}: ${extras}`)];
}

function codeOf({ text, language, lines, closing }: Fence): { whole: string; short: string } {
	const code = text.replace(/(?:\r\n|\r|\n)$/, '');
	const named = language === '' ? '' : ` of ${previewOf(language, 24)}`;
	const short = `[code left out: ${lines === 1 ? '1 line' : `${lines} lines`}${named}]`;
	const whole = closing === '' ? code : `${code}\n${closing}`;
	return { whole: whole.length > maxKept ? short : whole, short };
}

/** The newest items as they fit, oldest first; each takes its size of `room`. */
function newestOf(items: Item[], room: number): string[] {
	const chosen: string[] = [];
	let left = room;
	const leastOf = ({ short, size }: Item) => Math.min(short.length + 1, size);
	const next = () => items[items.length - chosen.length - 1];
	for (let item = next(); item && left - leastOf(item) >= room / 2; item = next()) {
		left -= leastOf(item);
		chosen.push(leastOf(item) < item.size ? item.short : item.whole);
	}
	for (const [index, text] of chosen.entries()) {
		const item = items[items.length - index - 1]!;
		const more = item.size - text.length - 1;
		if (more > left) continue;
		left -= more;
		chosen[index] = item.whole;
	}
	for (let item = next(); item && left >= leastOf(item); item = next()) {
		const text = item.size <= left ? item.whole : item.short;
		left -= text.length + 1;
		chosen.push(text);
	}
	return chosen.reverse();
}
