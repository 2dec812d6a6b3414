import type { Role } from '../../conversation/message';

/** A text by itself, or, with a role, a message with the frame that the model's chat template puts around it. */
export interface Countable {
	text: string;
	role?: Role;
}

/** Tokens of a prompt besides its messages and the text of its system prompt. */
export interface PromptFrame {
	/** With a system prompt: what is around that one, and the start of the answer. */
	withSystem: number;
	/** Without one: what the chat template says in its place, and the start of the answer. */
	withoutSystem: number;
	/** False if the frames are a guess, since the chat template is of no known kind. */
	known: boolean;
}

/** Counts by a model's own vocabulary. */
export interface Tokenizer {
	frame: PromptFrame;
	count: (item: Countable) => number;
}
