import { isNestedDeeper } from '../../shared/nesting';

/**
 * The deepest nesting of a call's input, or of its result, that is kept as a value: far deeper than any tool asks for. A file of rows takes
 * 100 levels, of which the message around it has some.
 */
const maxNesting = 64;

/** Returns what a model calls a tool with as a value; as the text that came where that is no JSON, or is nested too deep. */
export function callInput(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return isNestedDeeper(value, maxNesting) ? text : value;
	} catch {
		return text;
	}
}

/** Returns what a call gave, which is plain data; as JSON where that is nested too deep to be kept as a value. */
export function callOutput(value: unknown): unknown {
	if (!isNestedDeeper(value, maxNesting)) return value;
	try {
		return JSON.stringify(value);
	} catch {
		return 'The result was nested too deep to be kept.';
	}
}
