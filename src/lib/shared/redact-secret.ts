/**
 * A secret in one of its forms. Where there are `grams`, parts count: those that begin with one of them, each of `shortest` characters. Else the
 * whole does, with one character left out where `allowsGap`.
 */
interface Form {
	text: string;
	shortest: number;
	grams?: Set<string>;
	allowsGap?: boolean;
}

/** The mark that stands for a secret. */
const mark = '[API key]';

/**
 * Takes a secret out of texts that it has no business in, as it is, in base64 at any alignment, or URL-encoded, also with a character left
 * out. Of a long random one each part counts from a quarter of it or 64 characters on, but for words and rows such as “12345678” in it; of a short one that reads like
 * words only the whole. What is too short or too plain to be secret, as the names that local servers take for a key, is left alone.
 */
export class SecretRedactor {
	private readonly forms: Form[];
	/** The forms by what they can begin with in a text, which is `startLength` long: nearly everywhere one look tells that there is none. */
	private readonly byStart = new Map<string, Form[]>();
	private readonly startLength: number;
	/** The length from which on nothing waits for more. */
	private readonly maxWait: number;
	private held = '';

	constructor(secret: string | undefined) {
		// A header is sent without the blanks at its ends.
		const sent = secret?.trim() ?? '';
		this.forms = isSecret(sent) ? formsOf(sent.slice(0, maxLength)) : [];
		this.startLength = Math.min(minPart, ...this.forms.map(({ text, shortest, grams }) => (grams ? shortest : text.length - 1)));
		this.maxWait = Math.max(0, ...this.forms.map(({ shortest }) => shortest));
		for (const form of this.forms) {
			for (const start of new Set(startsOf(form, this.startLength))) this.byStart.set(start, [...(this.byStart.get(start) ?? []), form]);
		}
	}

	/** Returns the text without the secret. */
	redact(text: string): string {
		return this.forms.length === 0 ? text : this.take(text, true).text;
	}

	/**
	 * Returns JSON, such as what a model calls a tool with, without the secret: in what its strings and names say once they are read, however
	 * they are escaped. Of what is no JSON, what is escaped is read the same way.
	 */
	redactJson(text: string): string {
		if (this.forms.length === 0) return text;
		return this.redact(text.includes('\\') ? this.redactEscaped(text) : text);
	}

	private redactEscaped(text: string): string {
		try {
			let isChanged = false;
			const value: unknown = JSON.parse(text, (_, value: unknown) => {
				const redacted = this.withoutSecret(value);
				isChanged ||= redacted !== value;
				return redacted;
			});
			if (isChanged) return JSON.stringify(value);
		} catch {
			// What is no JSON stays a text.
		}
		// Of a name that is there twice the parser reads the last value only.
		const unescaped = text.replace(/\\u00([2-9a-f][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))).replace(/\\(["\\/])/g, '$1');
		const redacted = this.redact(unescaped);
		return redacted === unescaped ? text : redacted;
	}

	/** Returns a string without the secret, an object without it in its names; anything else as it is. */
	private withoutSecret(value: unknown): unknown {
		if (typeof value === 'string') return this.redact(value);
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
		const names = Object.keys(value);
		if (names.every((name) => this.redact(name) === name)) return value;
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.redact(name), inner as unknown]));
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
			const goesOn = !isWhole && (at + length === text.length ? length > 0 : this.mayBegin(text, at));
			if (goesOn) return { text: result + text.slice(done, at), rest: text.slice(at) };
			if (length === 0) continue;
			result += text.slice(done, at) + mark;
			done = at + length;
			at = done - 1;
		}
		return { text: result + text.slice(done), rest: '' };
	}

	/** The length of the longest part of any form that is in the text from `at` on, 0 for none that counts. */
	private lengthAt(text: string, at: number): number {
		let longest = 0;
		for (const form of this.byStart.get(text.slice(at, at + this.startLength)) ?? []) longest = Math.max(longest, form.grams ? partAt(text, at, form, form.grams) : nearlyWhole(text, at, form));
		return longest;
	}

	/** Tells whether all of the text from `at` on is the beginning of what counts once more of it is there. */
	private mayBegin(text: string, at: number): boolean {
		const length = text.length - at;
		if (length >= this.maxWait) return false;
		return this.forms.some(
			({ text: form, shortest, grams }) => length < shortest && (grams ? form.includes(text.slice(at)) : beginsNearly(text, at, form))
		);
	}
}

/** Measures the part of a form that the text has at `at`: 0 where none of `grams` begins there. */
function partAt(text: string, at: number, { text: form, shortest }: Form, grams: ReadonlySet<string>): number {
	if (!grams.has(text.slice(at, at + shortest))) return 0;
	// While a long one comes piece by piece, what waits is all of it, again and again.
	const rest = text.length - at;
	if (rest <= form.length && form.includes(text.slice(at))) return rest;
	// What is in the form up to a length is in it up to each shorter one.
	let [within, beyond] = [shortest, Math.min(rest, form.length) + 1];
	while (beyond - within > 1) {
		const middle = (within + beyond) >>> 1;
		if (form.includes(text.slice(at, at + middle))) within = middle;
		else beyond = middle;
	}
	return within;
}

/** Lists what a form can begin with in a text, each `length` long. */
function startsOf({ text, grams, allowsGap }: Form, length: number): string[] {
	if (grams) return Array.from(grams, (gram) => gram.slice(0, length));
	const withGap = Array.from({ length: allowsGap ? length : 0 }, (_, gap) => text.slice(0, gap) + text.slice(gap + 1, length + 1));
	return [text.slice(0, length), ...withGap];
}

/**
 * Measures a form, whole or with one character left out, where the text has it at `at`; else 0. Which of several equal characters in a
 * row was left out makes no difference, so the last one is tried.
 */
function nearlyWhole(text: string, at: number, { text: form, allowsGap = false }: Form): number {
	const length = sharedLength(text, at, form);
	if (length === form.length) return length;
	return allowsGap && text.startsWith(form.slice(length + 1), at + length) ? form.length - 1 : 0;
}

/** Tells whether a text from `at` on is the beginning of `form`, whole or with one character left out. */
function beginsNearly(text: string, at: number, form: string): boolean {
	const length = sharedLength(text, at, form);
	return at + length === text.length || form.startsWith(text.slice(at + length), length + 1);
}

/** Counts the characters of `form` that the text has from `at` on. */
function sharedLength(text: string, at: number, form: string): number {
	let length = 0;
	while (length < form.length && text[at + length] === form[length]) length++;
	return length;
}

/** The length that a part must have to count, and the one from which on it counts however long the secret is: it is no word of anything else. */
const minPart = 8;
const maxPart = 64;

/** The length from which on a part of a secret is neither a word nor a row of digits. */
const maxWordLength = 40;

/** The length from which on a random secret leaves a part that counts wherever a character is left out. */
const longRandom = 2 * minPart + 1;

/** The length from which on a secret that reads like words is none with a character left out: “password1” less one is a word. */
const longWords = 20;

/** The longest beginning of a secret that is looked for. */
const maxLength = 4096;

function isSecret(text: string): boolean {
	return text.length >= 20 || (text.length >= minPart && /[\dA-Z]/.test(text));
}

/**
 * Tells whether a secret reads like words: its runs of letters are three long on average, and hardly a third of it are digits. What mixes
 * letters with digits and capitals by chance does not.
 */
function readsLikeWords(secret: string): boolean {
	const runs = secret.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu) ?? [];
	const digits = secret.match(/\d/g) ?? [];
	return runs.length > 0 && runs.join('').length >= 3 * runs.length && digits.length * 3 <= secret.length;
}

function formsOf(secret: string): Form[] {
	const bytes = new TextEncoder().encode(secret);
	// Decoded again, so that no lone surrogate is in it.
	const encoded = encodeURIComponent(new TextDecoder().decode(bytes));
	const strictly = encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
	const escaped = [encoded, strictly, encoded.replaceAll('%2F', '/')].flatMap((text) => [text, text.replaceAll('%20', '+')]);
	const plain = [secret, ...escaped, ...escaped.map((text) => text.replace(/%../g, (escape) => escape.toLowerCase()))];
	const inBase64 = [0, 1, 2].flatMap((offset) => {
		const text = base64(new Uint8Array([...new Uint8Array(offset), ...bytes]));
		// The characters at both ends also depend on what stands around.
		const inner = text.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
		return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
	});
	const allowsGap = secret.length >= longWords || (secret.length >= longRandom ? !readsLikeWords(secret) : !isWordOrNumber(secret));
	const partsCount = !readsLikeWords(secret) && secret.length >= longRandom;
	return [
		...Array.from(new Set(plain), (text) => ({ text, shortest: text.length, allowsGap })),
		...Array.from(new Set(partsCount ? plain.map(withoutHeader) : []), (text) => inParts(text, partOf(text), (gram) => gram.length > maxWordLength || (!readsLikeWords(gram) && !isRow(gram)))),
		// Words in base64 are rare in a text.
		...Array.from(new Set(inBase64), (text) => inParts(text, Math.ceil((partOf(secret) * 4) / 3), () => true))
	];
}

/** Returns the length from which on a part of a secret counts: a quarter of it, within limits. */
function partOf(secret: string): number {
	return Math.min(maxPart, Math.max(minPart, Math.ceil(secret.length / 4)));
}

/** Returns the signature of a JSON Web Token: its header is the same in many, and its payload no secret. Any other text is returned as it is. */
function withoutHeader(secret: string): string {
	return secret.replace(/^eyJ[\w-]+\.(?:[\w-]+\.)?(?=[\w-]{16})/, '');
}

/** Tells whether a short secret less one character may be an ordinary word or number: “admin1234”, “20240115”. */
function isWordOrNumber(secret: string): boolean {
	return readsLikeWords(secret) || /^\P{L}+$|^\p{L}{3,}\P{L}*\d$/u.test(secret);
}

/** Tells whether a text is a row such as “12345678” or “00000000”: most characters are the same as the one before, or next to it. */
function isRow(text: string): boolean {
	const steps = Array.from({ length: text.length - 1 }, (_, at) => Math.abs(text.charCodeAt(at + 1) - text.charCodeAt(at)));
	return steps.filter((step) => step > 1).length <= 2;
}

/** Makes a form of which parts count, from `length` characters on, or the whole where that is shorter, but for those that `counts` refuses. */
function inParts(text: string, length: number, counts: (gram: string) => boolean): Form {
	const shortest = Math.min(text.length, length);
	const grams = Array.from({ length: text.length - shortest + 1 }, (_, at) => text.slice(at, at + shortest));
	return { text, shortest, grams: new Set(grams.filter(counts)) };
}

function base64(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes));
}
