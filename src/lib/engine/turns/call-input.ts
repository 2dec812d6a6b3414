/** The deepest nesting of a call's input that is kept as a value: far deeper than any tool asks for, and not so deep that no database takes it. */
const maxNesting = 100;

/** Returns what a model calls a tool with as a value; as the text that came where that is no JSON, or is nested too deep. */
export function callInput(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return isWithin(value, maxNesting) ? value : text;
	} catch {
		return text;
	}
}

function isWithin(value: unknown, levels: number): boolean {
	let level = [value];
	for (let left = levels; left > 0 && level.length > 0; left--) {
		level = level.flatMap((inner): unknown[] => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
	}
	return level.length === 0;
}
