import type { Message, Part, Role } from '../conversation/message';
import { partText, valueText } from '../conversation/part-text';
import type { TokenCounter } from './token-counter';

/** Tokens that a chat template puts around a message. */
const frame = 5;

/** An image, whatever its size: providers scale it down to about that. */
const image = 800;

/** In hundredths of a token, by the script of a character: fitted to prose, code and data as GPT's and Llama's vocabularies cut them. */
const letter = 21;
const capital = 45;
const digit = 65;
const mark = 65;
const space = 15;
const indent = 3;
const accented = 80;
const ideograph = 95;
/** Of other scripts, by UTF-16 unit: two bytes in UTF-8 below this code, three above; half of an emoji has two. */
const threeBytes = 0x800;
const twoByteLetter = 52;
const threeByteLetter = 90;
const halfPair = 90;

const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
	const character = String.fromCharCode(code);
	if (/[a-z]/.test(character)) return letter;
	if (/[A-Z]/.test(character)) return capital;
	if (/\d/.test(character)) return digit;
	return code <= 32 ? space : mark;
});

/**
 * Counts the tokens that a text takes, by its length and scripts alone: about four characters a token in Latin prose, fewer in
 * code and digits, one in Chinese, Japanese and Korean. A text takes as much as its pieces do, within one token each.
 */
export function estimateTokens(text: string): number {
	let hundredths = 0;
	let wasSpace = false;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const isSpace = code <= 32;
		// A run of spaces is one token in code.
		hundredths += code < 128 ? (isSpace && wasSpace ? indent : ascii[code]!) : beyondAscii(code);
		wasSpace = isSpace;
	}
	return Math.ceil(hundredths / 100);
}

function beyondAscii(code: number): number {
	if (code < 0x250) return accented;
	if (code < threeBytes) return twoByteLetter;
	if (code >= 0xd800 && code < 0xe000) return halfPair;
	// Ideographs and kana; Hangul; compatibility ideographs; full-width forms.
	const isIdeograph = (code >= 0x2e80 && code < 0xa000) || (code >= 0xac00 && code < 0xd800) || (code >= 0xf900 && code < 0xfb00);
	return isIdeograph || code >= 0xff00 ? ideograph : threeByteLetter;
}

/** Tokens of a file that is not an image, by its attachment's id: how long it is, the message does not know. */
export type FileTokens = (attachmentId: string) => number;

/** Counts the tokens that a message takes in a prompt, with its frame. Reasoning is not sent; a file counts only if `fileTokens` is given. */
export function estimateMessage({ role, parts }: Pick<Message, 'role' | 'parts'>, fileTokens?: FileTokens): number {
	return parts.reduce((sum, part) => sum + estimatePart(part, role, fileTokens), frame);
}

function estimatePart(part: Part, role: Role, fileTokens: FileTokens = () => 0): number {
	switch (part.type) {
		case 'text':
			return estimateTokens(part.text);
		case 'reasoning':
			return 0;
		case 'tool-call':
			return estimateTokens(part.toolName) + estimateTokens(valueText(part.input));
		case 'tool-result':
			return estimateTokens(partText(part));
		case 'file':
			// Of a result its text alone is sent.
			if (role === 'tool') return 0;
			return part.mediaType.startsWith('image/') ? image : fileTokens(part.attachmentId);
		case 'redacted':
		case 'unreadable':
			return role === 'system' ? 0 : estimateTokens(partText(part));
	}
}

/** Counts by length, times a factor learnt from what the model has reported, rounded up. */
export function estimateCounter(factor: number, fileTokens?: FileTokens): TokenCounter {
	return {
		kind: 'estimate',
		message: (message) => Math.ceil(estimateMessage(message, fileTokens) * factor),
		text: (text) => Math.ceil(estimateTokens(text) * factor)
	};
}

/** By what estimates are to be multiplied, from what was estimated and what it then took: 0.3 to 3, and 1 where nothing is known. */
export function factorFrom(samples: readonly { raw: number; actual: number }[]): number {
	const raw = samples.reduce((sum, sample) => sum + sample.raw, 0);
	const actual = samples.reduce((sum, sample) => sum + sample.actual, 0);
	return raw > 0 && actual > 0 ? Math.min(3, Math.max(0.3, actual / raw)) : 1;
}
