import { cutAtDirectionChanges } from './direction-changes';
import { layoutCost } from './layout-cost';
import { withoutPiledMarks } from './piled-marks';
import { startOf } from './start-of';

/** The most that the fields of a screen have in good time, in plain characters: a field is laid out as a whole, with each key. */
const maxCost = 500_000;
const maxLines = 20_000;
/** In pieces of `cutAtDirectionChanges`, beside the first. */
const maxPieces = 2;

/** Returns the text without what no field has in good time: of one that is more than that, the start. */
export function startForField(text: string): string {
	const start = withoutPiledMarks(startOf(text, maxCost)).split('\n', maxLines).join('\n');
	const { end } = layoutCost(start, maxCost);
	return cutAtDirectionChanges(startOf(start, end)).slice(0, maxPieces + 1).join('');
}

/** Tells of each text whether a field can have it in good time, beside those before it that can. What is looked at counts, also what can not. */
export function fitInFields(texts: string[]): boolean[] {
	let length = 0;
	let cost = 0;
	let lines = 0;
	let pieces = 0;
	return texts.map((text) => {
		if (length + text.length > maxCost) return false;
		length += text.length;
		const laidOut = layoutCost(text, maxCost - cost);
		if (laidOut.end < text.length) return false;
		const own = { lines: text.split('\n').length, pieces: cutAtDirectionChanges(text).length - 1 };
		if (lines + own.lines > maxLines || pieces + own.pieces > maxPieces || withoutPiledMarks(text) !== text) return false;
		cost += laidOut.cost;
		lines += own.lines;
		pieces += own.pieces;
		return true;
	});
}

/** Says that a text, such as “This note”, fits no field. */
export function unfitForFields(what: string): string {
	return `${what} is too long or too complex to edit here. You can copy it.`;
}
