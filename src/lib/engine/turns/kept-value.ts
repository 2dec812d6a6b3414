import { exceeds, type Extent } from '../../shared/extent';

/**
 * The most of a call's input, or of its result, that is kept as a value: far more than any tool asks for. A file of rows takes 100 levels, of
 * which the message around it has some.
 */
const maxExtent: Extent = { levels: 64, values: 100_000 };

/** Returns what a model calls a tool with as a value; as the text that came where that is no JSON, or is more than that. */
export function callInput(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return exceeds(value, maxExtent) ? text : value;
	} catch {
		return text;
	}
}

/** Returns what a call gave, which is plain data; as JSON where that is more than is kept as a value. */
export function callOutput(value: unknown): unknown {
	if (!exceeds(value, maxExtent)) return value;
	try {
		return JSON.stringify(value);
	} catch {
		return 'The result was nested too deep to be kept.';
	}
}
