import type { Message } from '../conversation/message';

/**
 * Counter of tokens. `exact`: by the vocabulary of the model on this device; `tokenizer`: by the one that
 * OpenAI publishes for the model; `estimate`: by length, times a factor learnt from what the model has reported.
 * Counting is synchronous and fast: what takes long was done before.
 */
export interface TokenCounter {
	kind: 'exact' | 'tokenizer' | 'estimate';
	/** A message in a prompt, with the frame that the chat template puts around it. At least 1. */
	message: (message: Pick<Message, 'id' | 'role' | 'parts'>) => number;
	/** A text by itself. 0 for ''. */
	text: (text: string) => number;
}
