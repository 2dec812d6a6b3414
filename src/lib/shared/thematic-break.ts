/**
 * Makes a function that tells whether what is left of a line, from some place on, is a thematic break (CommonMark 0.31 §4.1). The end of the
 * line is looked at once: a line can begin as many list items as it has characters.
 */
export function thematicBreakIn(line: string): (rest: string) => boolean {
	const mark = line.trimEnd().at(-1) ?? '';
	let start = line.length;
	if (mark === '*' || mark === '_' || mark === '-') {
		while (start > 0 && (line[start - 1] === mark || line[start - 1] === ' ' || line[start - 1] === '\t')) start--;
	}
	const length = line.length - start;
	return (rest) => rest.length <= length && rest.replace(/[ \t]/g, '').length >= 3;
}
