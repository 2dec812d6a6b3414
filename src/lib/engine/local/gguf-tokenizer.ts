import { Tokenizer as BytePairTokenizer } from '@huggingface/tokenizers';
import type { Tokenizer } from '../tokens/tokenizer';
import { controlTokenEscape } from './control-tokens';
import type { Vocabulary } from './gguf-vocabulary';

/** llama.cpp's rules for cutting a text into words: by each pattern in turn, what is between its matches too. */
interface WordRules {
	patterns: string[];
	/** A word that is in the vocabulary is one token, whatever the merges say. */
	wholeWords?: boolean;
	/** A prompt begins with a token of its own, unless the file says otherwise. */
	addsStart?: boolean;
}

const gpt2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const shortened = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
const ends = '[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
const digitwise: WordRules = { patterns: ['\\p{N}', gpt2] };
const plain: WordRules = { patterns: [gpt2] };
const llama3: WordRules = {
	patterns: [`${shortened}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+${ends}`],
	wholeWords: true,
	addsStart: true
};
const qwen2: WordRules = { patterns: [`${shortened}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+${ends}`] };
const qwen35: WordRules = {
	patterns: [`${shortened}|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+${ends}`]
};

/** By the names that GGUF files give them. */
const wordRules: Record<string, WordRules | undefined> = {
	default: { patterns: ['[\\p{P}$+<=>^~|]+', gpt2, '\\p{N}+', '[0-9][0-9][0-9]'] },
	'gpt-2': plain,
	'phi-2': plain,
	olmo: plain,
	smollm: digitwise,
	starcoder: digitwise,
	refact: digitwise,
	'command-r': digitwise,
	'llama-bpe': llama3,
	llama3,
	'llama-v3': llama3,
	falcon3: llama3,
	pixtral: llama3,
	lfm2: llama3,
	qwen2,
	stablelm2: qwen2,
	'deepseek-r1-qwen': qwen2,
	qwen35
};

/** Tokens that an unknown chat template is taken to put around a message. */
const guessedFrame = 5;

const chatMlMarks = ['<|im_start|>', '<|im_end|>'];

/**
 * Counts as the engine on this device does: people's texts with their control tokens broken up, and the frames of ChatML
 * around messages, token by token. Undefined if it is not known how the model cuts texts into words.
 */
export function ggufTokenizer(vocabulary: Vocabulary): Tokenizer | undefined {
	const rules = wordRules[vocabulary.pre];
	if (!rules) return undefined;
	const { chatTemplate, controlTokens } = vocabulary;
	const tokenizer = bytePairTokenizer(vocabulary, rules);
	const tokens = (text: string) => tokenizer.tokenize(text).length;
	// A file without a chat template is asked in ChatML, and its marks are control tokens then.
	const escape = controlTokenEscape(chatTemplate ? controlTokens : [...controlTokens, ...chatMlMarks]);
	const known = chatTemplate === undefined || chatTemplate.includes('<|im_start|>');
	const message = (role: string, text: string) =>
		known ? tokens(`<|im_start|>${role}\n${escape(text)}<|im_end|>\n`) : guessedFrame + tokens(escape(text));

	const start = (vocabulary.addsStart ?? rules.addsStart) || chatTemplate?.includes('bos_token') ? 1 : 0;
	const rest = start + (known ? tokens('<|im_start|>assistant\n') : guessedFrame);
	const saidInstead = known && chatTemplate ? defaultSystem(chatTemplate) : undefined;
	return {
		frame: {
			withSystem: rest + message('system', ''),
			withoutSystem: rest + (saidInstead === undefined ? 0 : message('system', saidInstead)),
			known
		},
		count: ({ text, role }) => (role ? message(role, text) : tokens(escape(text)))
	};
}

/** The system prompt that a ChatML template has of its own, which it uses where a conversation brings none. */
function defaultSystem(chatTemplate: string): string | undefined {
	const [, text] = /<\|im_start\|>system(?:\\n|\n)([^'"{}]+)<\|im_end\|>/.exec(chatTemplate) ?? [];
	return text?.replaceAll('\\n', '\n');
}

function bytePairTokenizer({ tokens, merges, wholeIds }: Vocabulary, { patterns, wholeWords = false }: WordRules): BytePairTokenizer {
	const splits = patterns.map((pattern) => ({ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false }));
	const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
	const description = {
		normalizer: null,
		pre_tokenizer: {
			type: 'Sequence',
			pretokenizers: [...splits, { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false }]
		},
		model: {
			type: 'BPE',
			vocab,
			// A merge into no token would lose its text; the engine takes it apart again.
			merges: merges.filter((pair) => Object.hasOwn(vocab, pair.replace(' ', ''))),
			ignore_merges: wholeWords
		},
		added_tokens: wholeIds.filter((id) => tokens[id]).map((id) => ({ id, content: tokens[id], special: true, normalized: false })),
		post_processor: null,
		decoder: null
	};
	return new BytePairTokenizer(description, {});
}
