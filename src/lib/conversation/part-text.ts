import type { Part } from './message';

/**
 * Returns the words of a part: what stands for it wherever a message becomes plain text, such as in a prompt, a count of tokens or a
 * summary. What a kind of part is to its reader, and which kinds count, those decide who ask.
 */
export function partText(part: Part): string {
	switch (part.type) {
		case 'text':
		case 'reasoning':
			return part.text;
		case 'tool-call':
			return `${part.toolName} ${valueText(part.input)}`;
		case 'tool-result':
			return valueText(part.output);
		case 'file':
			return part.name;
		case 'redacted':
		case 'unreadable':
			return `[${part.type}]`;
		default:
			return part satisfies never;
	}
}

/** Joins the words of the parts of these kinds, with an empty line between two that have some. */
export function textOfTypes(parts: readonly Part[], types: readonly Part['type'][]): string {
	return parts
		.filter(({ type }) => types.includes(type))
		.map(partText)
		.filter((text) => text !== '')
		.join('\n\n');
}

/** Returns what a tool was called with, or what it gave back, as text: a text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
	// `undefined` has no JSON.
	return typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '');
}
