/** The longest that JSON becomes by being written on lines, in UTF-16 units. */
const maxLength = 1_000_000;
/** The most that it grows, in its own lengths, and a length that it may always have. */
const maxTimes = 4;
const maxShort = 2000;

/**
 * Returns a value as JSON on lines, indented; on one line where that would be far longer, as it is of what is nested deep: many blanks
 * would stand before each of its values. Undefined where the value has no JSON.
 */
export function readableJson(value: unknown, replacer?: (key: string, inner: unknown) => unknown): string | undefined {
	const plain = JSON.stringify(value, replacer) as string | undefined;
	if (plain === undefined || !fitsOnLines(plain, Math.min(maxLength, Math.max(maxShort, maxTimes * plain.length)))) return plain;
	return JSON.stringify(value, replacer, 2);
}

/** Tells whether JSON on one line is no longer than `limit` when it is written on lines. */
function fitsOnLines(json: string, limit: number): boolean {
	let length = json.length;
	let depth = 0;
	for (let at = 0; at < json.length && length <= limit; at++) {
		const unit = json[at]!;
		if (unit === '"') at = endOfText(json, at);
		else if (unit === ':') length++;
		else if ('{[}],'.includes(unit)) {
			if (unit === '{' || unit === '[') depth++;
			else if (unit !== ',') depth--;
			length += 1 + 2 * depth;
		}
	}
	return length <= limit;
}

/** Returns where the text that begins at `start` ends. */
function endOfText(json: string, start: number): number {
	let at = start + 1;
	for (; json[at] !== '"'; at++) if (json[at] === '\\') at++;
	return at;
}
