import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** The kinds of parts that an answer is made of. A server may send others, such as results of tools that it ran itself, or pictures: nothing was asked of those. */
const known: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set(['stream-start', 'response-metadata', 'text-start', 'text-end', 'reasoning-start', 'reasoning-end', 'tool-input-start', 'tool-input-end', 'tool-call', 'finish', 'error']);

/** Tells whether a part belongs to an answer. What the SDK has for the name of a tool may be no text. */
export function isKnown(part: LanguageModelV4StreamPart): boolean {
	if (part.type !== 'tool-call') return known.has(part.type);
	return !part.providerExecuted && [part.toolCallId, part.toolName, part.input].every((text: unknown) => typeof text === 'string');
}

/** Tells whether nothing after a part goes on with the words before it: a call, or the end of reasoning that is signed. */
export function endsWords(part: LanguageModelV4StreamPart): boolean {
	return part.type === 'tool-call' ? isKnown(part) : part.type === 'reasoning-end' && part.providerMetadata !== undefined;
}
