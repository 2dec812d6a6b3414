import { controlType, readControlTokens, readGgufValues, userDefinedType, type ArrayPlace, type Cursor, type GgufSource } from './gguf';

/** The vocabulary in the header of a GGUF file whose model uses byte-pair encoding. */
export interface Vocabulary {
	/** llama.cpp's name for the rules that cut a text into words before that. */
	pre: string;
	/** In the order of their ids, bytes as GPT-2 writes them. */
	tokens: string[];
	/** Ids of the tokens that are found in a text before it is cut into words. */
	wholeIds: number[];
	/** Two tokens each, with a space between; the first ones first. */
	merges: string[];
	/** As in `Gguf`. */
	controlTokens: string[];
	/** True if a prompt begins with a token of its own; undefined if that is left to `pre`. */
	addsStart?: boolean;
	chatTemplate?: string;
}

/** The vocabulary in a file that `readGguf` has accepted; undefined if it is of another kind. */
export async function readVocabulary(file: GgufSource): Promise<Vocabulary | undefined> {
	const { vocabulary } = await readGgufValues(file, (header, cursor) => {
		const { tokens, tokenTypes, merges } = header;
		if (header.text('tokenizer.ggml.model') !== 'gpt2' || !tokens || !merges) return { vocabulary: undefined };
		const addsStart = header.number('tokenizer.ggml.add_bos_token');
		const chatTemplate = header.text('tokenizer.chat_template');
		const vocabulary: Vocabulary = {
			pre: header.text('tokenizer.ggml.pre') ?? 'default',
			tokens: readTexts(cursor, tokens),
			wholeIds: tokenTypes ? readWholeIds(cursor, tokenTypes) : [],
			merges: readTexts(cursor, merges),
			controlTokens: readControlTokens(cursor, header),
			...(addsStart === undefined ? {} : { addsStart: addsStart !== 0 }),
			...(chatTemplate ? { chatTemplate } : {})
		};
		return { vocabulary };
	});
	return vocabulary;
}

function readTexts(cursor: Cursor, { at, count }: ArrayPlace): string[] {
	cursor.at = at;
	const texts: string[] = [];
	for (let i = 0; i < count; i++) texts.push(cursor.text());
	return texts;
}

function readWholeIds(cursor: Cursor, { at, count }: ArrayPlace): number[] {
	const ids: number[] = [];
	for (let id = 0; id < count; id++) {
		const type = cursor.view.getInt32(at + 4 * id, true);
		if (type === controlType || type === userDefinedType) ids.push(id);
	}
	return ids;
}
