import type { OpenAiEncoding } from './openai-encoding';
import type { Tokenizer } from './tokenizer';

/** As OpenAI documents for its chat models: around each message, for its role, and at the end, where the answer starts. */
const perMessage = 3;
const perRole = 1;
const atEnd = 3;

/** The package takes the square of its length for one word, so longer ones, such as encoded data, are cut. */
const longWord = /(\S{1000}|\s{1000})/u;

/** Loads the vocabulary, which is a megabyte or two. */
export async function openAiTokenizer(encoding: OpenAiEncoding): Promise<Tokenizer> {
	const { countTokens } = await (encoding === 'o200k_base'
		? import('gpt-tokenizer/encoding/o200k_base')
		: import('gpt-tokenizer/encoding/cl100k_base'));
	// Nothing in a message is a control token: it is sent as text.
	const options = { disallowedSpecial: new Set<string>() };
	const count = (text: string) => text.split(longWord).reduce((sum, piece) => sum + countTokens(piece, options), 0);
	return {
		frame: { withSystem: perMessage + perRole + atEnd, withoutSystem: atEnd, known: true },
		count: ({ text, role }) => count(text) + (role ? perMessage + perRole : 0)
	};
}
