/** What stands where a secret was. */
const mark = '[API key]';

/**
 * Takes a secret out of texts that it has no business in, whole or in part, as it is, in base64 at any alignment, or
 * URL-encoded. A part counts from a quarter of the secret on, so that one with a letter left out is still found; of a secret that is made of
 * words, which may stand in any text, from half of it on. What is too short or too plain to be secret, as the names that local servers
 * take for a key, is left alone.
 */
export class SecretRedactor {
	/** The secret in all its forms, and the shortest part of each that counts. */
	private readonly forms: { text: string; shortest: number; grams: Set<string> }[];
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
		for (const { text: form, shortest, grams } of this.forms) {
			if (!grams.has(text.slice(at, at + shortest))) continue;
			let length = shortest;
			while (at + length < text.length && form.includes(text.slice(at, at + length + 1))) length++;
			longest = Math.max(longest, length);
		}
		return longest;
	}

	/** How many characters at the end of the text may be the beginning of a part that counts. */
	private beginsAtEnd(text: string): number {
		const most = Math.max(...this.forms.map(({ shortest }) => shortest)) - 1;
		for (let length = Math.min(most, text.length); length > 0; length--) {
			const end = text.slice(-length);
			if (this.forms.some(({ text: form, shortest }) => length < shortest && form.includes(end))) return length;
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

const shortestOfWords = 16;

/** The length of the shortest part that tells of a secret, in characters. */
function shortestPartOf(secret: string): number {
	if (!isOfWords(secret)) return Math.max(shortestPart, Math.ceil(secret.length / 4));
	return Math.max(Math.min(shortestOfWords, secret.length), Math.floor(secret.length / 2) + 1);
}

/** Tells whether a secret reads like words: runs of letters of four on average, and hardly a digit. Random ones are broken up by digits and capitals. */
function isOfWords(secret: string): boolean {
	const words = secret.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu) ?? [];
	const digits = secret.match(/\d/g) ?? [];
	return digits.length <= 4 && words.length > 0 && words.join('').length >= 4 * words.length;
}

function formsOf(secret: string) {
	const shortest = shortestPartOf(secret);
	const bytes = new TextEncoder().encode(secret);
	// Decoded again, so that no lone surrogate is in it.
	const encoded = encodeURIComponent(new TextDecoder().decode(bytes));
	const forms = new Map<string, number>([[secret, shortest]]);
	forms.set(encoded, shortest);
	forms.set(encoded.replace(/%../g, (escape) => escape.toLowerCase()), shortest);
	for (const offset of [0, 1, 2]) {
		const text = base64(new Uint8Array([...new Uint8Array(offset), ...bytes]));
		// The characters at both ends also depend on what stands around.
		const inner = text.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
		for (const form of [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]) forms.set(form, Math.ceil((shortest * 4) / 3));
	}
	return [...forms].map(([text, shortest]) => {
		const grams = new Set(Array.from({ length: Math.max(0, text.length - shortest + 1) }, (_, at) => text.slice(at, at + shortest)));
		return { text, shortest, grams };
	});
}

function base64(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes));
}
