/** A secret in one of its forms, and the parts of it that count: from `shortest` characters on, `grams` are all of that length; where it is `ofWords`, those that join two. */
interface Form {
	text: string;
	shortest: number;
	grams: Set<string>;
	ofWords: boolean;
}

/** What stands where a secret was. */
const mark = '[API key]';

/**
 * Takes a secret out of texts that it has no business in, whole or in part, as it is, in base64 at any alignment, or
 * URL-encoded. A part counts from a quarter of the secret on, so that one with a letter left out is still found; of a secret that is made of
 * words, which may stand in any text, where it joins two of them. What is too short or too plain to be secret, as the names that local
 * servers take for a key, is left alone.
 */
export class SecretRedactor {
	private readonly forms: Form[];
	private held = '';

	constructor(secret: string | undefined) {
		this.forms = secret && isSecret(secret) ? formsOf(secret.slice(0, maxLength)) : [];
	}

	/** Returns the text without the secret. */
	redact(text: string): string {
		return this.forms.length === 0 ? text : this.take(text, true).text;
	}

	/** Takes the next piece of a text and returns what can be told by now: what may be the beginning of the secret waits. */
	next(piece: string): string {
		if (this.forms.length === 0) return piece;
		const { text, rest } = this.take(this.held + piece, false);
		this.held = rest;
		return text;
	}

	/** Returns what waited, at the end of a text. */
	end(): string {
		const rest = this.redact(this.held);
		this.held = '';
		return rest;
	}

	private take(text: string, isWhole: boolean): { text: string; rest: string } {
		let result = '';
		let done = 0;
		for (let at = 0; at < text.length; at++) {
			const length = this.lengthAt(text, at);
			if (length === 0) continue;
			// A part at the end may go on in the next piece.
			if (!isWhole && at + length === text.length) return { text: result + text.slice(done, at), rest: text.slice(at) };
			result += text.slice(done, at) + mark;
			done = at + length;
			at = done - 1;
		}
		const rest = isWhole ? 0 : this.beginsAtEnd(text.slice(done));
		return { text: result + text.slice(done, text.length - rest), rest: text.slice(text.length - rest) };
	}

	/** The length of the longest part of any form that is in the text from `at` on, 0 for none that counts. */
	private lengthAt(text: string, at: number): number {
		let longest = 0;
		for (const { text: form, shortest, grams, ofWords } of this.forms) {
			if (!grams.has(text.slice(at, at + shortest))) continue;
			let length = shortest;
			while (at + length < text.length && form.includes(text.slice(at, at + length + 1))) length++;
			if (!ofWords || joinsWords(text.slice(at, at + length), form)) longest = Math.max(longest, length);
		}
		return longest;
	}

	/** How many characters at the end of the text may be the beginning of a part that counts. */
	private beginsAtEnd(text: string): number {
		const most = Math.max(...this.forms.map(({ text, shortest, ofWords }) => (ofWords ? text.length : shortest))) - 1;
		for (let length = Math.min(most, text.length); length > 0; length--) {
			const end = text.slice(-length);
			if (this.forms.some(({ text: form, shortest, ofWords }) => (ofWords || length < shortest) && form.includes(end))) return length;
		}
		return 0;
	}
}

const shortestPart = 8;

/** No server takes a longer key. */
const maxLength = 4096;

function isSecret(text: string): boolean {
	return text.length >= 20 || (text.length >= shortestPart && /[\dA-Z]/.test(text));
}

/** The fewest letters of a word, on average, the most, and those of a secret that is made of words. */
const shortestWord = 3;
const longestWord = 14;
const longestOfWords = 256;

/**
 * Tells whether a secret is made of words that any text may have, as a passphrase is: words and short numbers with something between
 * them. Random ones mix letters with digits or capitals, or go on for longer than a word.
 */
function isOfWords(secret: string): boolean {
	const pieces = secret.split(between).filter((piece) => piece !== '');
	const isWord = (piece: string) => piece.length <= longestWord && /^(?:\p{L}?\p{Ll}+|\p{Lu}+|\d{1,4})$/u.test(piece);
	return pieces.length > 1 && secret.length <= longestOfWords && pieces.join('').length >= shortestWord * pieces.length && pieces.every(isWord);
}

const between = /[^\p{L}\p{N}]+/u;

/** Tells whether a part of a secret that is made of words has more than one of them, or is more than half of it. */
function joinsWords(part: string, secret: string): boolean {
	return part.length > secret.length / 2 || part.split(between).filter((piece) => piece.length >= shortestWord).length > 1;
}

function formsOf(secret: string): Form[] {
	const shortest = Math.max(shortestPart, Math.ceil(secret.length / 4));
	const ofWords = isOfWords(secret);
	const bytes = new TextEncoder().encode(secret);
	// Decoded again, so that no lone surrogate is in it.
	const encoded = encodeURIComponent(new TextDecoder().decode(bytes));
	const forms = new Map<string, Omit<Form, 'text' | 'grams'>>();
	for (const form of [secret, encoded, encoded.replace(/%../g, (escape) => escape.toLowerCase())]) forms.set(form, { shortest, ofWords });
	for (const offset of [0, 1, 2]) {
		const text = base64(new Uint8Array([...new Uint8Array(offset), ...bytes]));
		// The characters at both ends also depend on what stands around.
		const inner = text.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
		for (const form of [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]) forms.set(form, { shortest: Math.ceil((shortest * 4) / 3), ofWords: false });
	}
	return [...forms].map(([text, { shortest, ofWords }]) => {
		const grams = new Set(Array.from({ length: Math.max(0, text.length - shortest + 1) }, (_, at) => text.slice(at, at + shortest)));
		return { text, shortest, grams, ofWords };
	});
}

function base64(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes));
}
