/**
 * Returns the first two places of a part in a text, those too that overlap. `indexOf` takes seconds for a part that nearly fits everywhere;
 * this looks at each character a fixed number of times (Knuth, Morris and Pratt).
 */
export function placesOf(text: string, part: string): number[] {
	/** Of each start of the part: the length of the longest shorter start that it ends with. */
	const borders = new Uint32Array(part.length + 1);
	const next = (matched: number, unit: number): number => {
		let length = matched;
		while (length > 0 && (length === part.length || part.charCodeAt(length) !== unit)) length = borders[length]!;
		return part.charCodeAt(length) === unit ? length + 1 : length;
	};
	for (let at = 1; at < part.length; at++) borders[at + 1] = next(borders[at]!, part.charCodeAt(at));
	const places: number[] = [];
	for (let at = 0, matched = 0; at < text.length && places.length < 2; at++) {
		matched = next(matched, text.charCodeAt(at));
		if (matched === part.length) places.push(at + 1 - part.length);
	}
	return places;
}
