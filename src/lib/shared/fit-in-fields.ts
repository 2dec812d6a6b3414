import { joinedCost } from './joined-runs';
import { withoutPiledMarks } from './piled-marks';
import { startOf } from './start-of';
import { cutAtDirectionChanges } from './direction-changes';

/** The most that the fields of a screen have in good time: a field is laid out as a whole, with each key. */
const maxLength = 500_000;
const maxLines = 20_000;
/** In pieces of `cutAtDirectionChanges`, beside the first. */
const maxPieces = 2;

/** The most that joined characters may cost together, as `joinedCost` counts it. */
const maxJoined = 1e8;

/** Returns the text without what no field has in good time: of one that is more than that, the start. */
export function startForField(text: string): string {
	const start = withoutPiledMarks(startOf(text, maxLength)).split('\n', maxLines).join('\n');
	const { end } = joinedCost(start, maxJoined);
	return cutAtDirectionChanges(start.slice(0, end)).slice(0, maxPieces + 1).join('');
}

/** Tells of each text whether a field can have it in good time, beside those before it that can. What is looked at counts, also what can not. */
export function fitInFields(texts: string[]): boolean[] {
	let length = 0;
	let lines = 0;
	let pieces = 0;
	let joined = 0;
	return texts.map((text) => {
		if (length + text.length > maxLength) return false;
		length += text.length;
		const own = { lines: text.split('\n').length, pieces: cutAtDirectionChanges(text).length - 1 };
		if (lines + own.lines > maxLines || pieces + own.pieces > maxPieces || withoutPiledMarks(text) !== text) return false;
		const { cost, end } = joinedCost(text, maxJoined - joined);
		if (end < text.length) return false;
		lines += own.lines;
		pieces += own.pieces;
		joined += cost;
		return true;
	});
}
