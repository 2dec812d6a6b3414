import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SecretRedactor } from './redact-secret';

const random = fc.oneof(
	fc.stringMatching(/^sk-[A-Za-z0-9]{20,60}$/).filter((text) => /(\d.*){4}/.test(text)),
	fc.stringMatching(/^[a-f0-9]{24,40}$/).filter((text) => /(\d.*){12}/.test(text))
);
/** Of a word before a number, or a number, nothing but the whole counts. */
const short = fc.stringMatching(/^[a-f0-9]{9,16}$/).filter((text) => /(\d.*){6}/.test(text) && !/^[a-f]{3,}\d+$|^\d+$/.test(text));
const word = fc.stringMatching(/^[A-Z]?[a-z]{1,9}$/);
const secret = fc.oneof(
	random,
	short,
	fc.stringMatching(/^([a-z]{20,40}|[A-Z2-7]{26,32}|[a-z0-9+/=%&?]{20,40})$/).filter((text) => new Set(text).size > 8),
	fc
		.tuple(fc.array(word, { minLength: 2, maxLength: 7 }), fc.constantFrom('-', ' ', '_', '.', ''), fc.constantFrom('', '7', '-2024'))
		.map(([words, separator, number]) => words.join(separator) + number)
		.filter((text) => text.length >= 20)
);
const around = fc.string({ maxLength: 40, unit: 'binary' });

/** The text in pieces, as a stream brings it. */
function streamed(redactor: SecretRedactor, text: string, cuts: number[]): string {
	const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
	const pieces = [...places, text.length].map((end, index) => text.slice(index === 0 ? 0 : places[index - 1], end));
	return pieces.map((piece) => redactor.next(piece)).join('') + redactor.end();
}

const forms: [string, (secret: string, before: string) => string][] = [
	['as it is', (secret) => secret],
	['URL-encoded', (secret) => encodeURIComponent(secret)],
	['in base64', (secret, before) => Buffer.from(before + secret + before).toString('base64')],
	['in base64 for URLs', (secret, before) => Buffer.from(before + secret).toString('base64url')]
];

test.each(forms)('[P8] a secret %s is taken out, whole or streamed', (_, encode) => {
	fc.assert(
		fc.property(secret, around, around, fc.array(fc.nat()), (secret, before, after, cuts) => {
			const text = before + encode(secret, before) + after;
			const redactor = new SecretRedactor(secret);
			const redacted = redactor.redact(text);
			expect(redacted).not.toContain(encode(secret, before));
			expect(redacted).toContain('[API key]');
			expect(streamed(redactor, text, cuts)).toBe(redacted);
			for (const decoded of redacted.split(/[^A-Za-z0-9+/_-]+/).map((word) => Buffer.from(word, 'base64').toString('latin1'))) {
				expect(decoded).not.toContain(secret);
			}
		})
	);
});

test('[P8] with a letter left out it is taken out, whole or streamed', () => {
	fc.assert(
		fc.property(secret, fc.nat(), around, around, fc.array(fc.nat()), (secret, place, before, after, cuts) => {
			const gap = place % secret.length;
			const left = secret.slice(0, gap) + secret.slice(gap + 1);
			const redacted = new SecretRedactor(secret).redact(before + left + after);
			expect(redacted).not.toContain(left);
			expect(redacted).toContain('[API key]');
			expect(streamed(new SecretRedactor(secret), before + left + after, cuts)).toBe(redacted);
		})
	);
});

test('[P8] of a random one with a letter left out no part of a quarter or more is left', () => {
	fc.assert(
		fc.property(random, fc.nat(), around, (secret, place, after) => {
			const gap = place % secret.length;
			const redacted = new SecretRedactor(secret).redact(secret.slice(0, gap) + secret.slice(gap + 1) + after);
			const part = Math.max(8, Math.ceil(secret.length / 4));
			for (let at = 0; at + part <= secret.length; at++) expect(redacted).not.toContain(secret.slice(at, at + part));
		})
	);
});

test('what has nothing of it comes out as it was, however it is cut', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat()), (text, cuts) => {
			const redactor = new SecretRedactor('sk-0123456789abcdefghij');
			fc.pre(!/[0-9a-j]{6}/.test(text));
			expect(redactor.redact(text)).toBe(text);
			expect(streamed(redactor, text, cuts)).toBe(text);
		})
	);
});

test.each([undefined, '', 'ollama', 'lm-studio', 'not-needed', 'x1'])('%j is no secret', (secret) => {
	const text = `Start ${secret} and say ${secret} again: ollama, lm-studio, not-needed, x1.`;
	expect(new SecretRedactor(secret).redact(text)).toBe(text);
});

test.each([
	['my-password-for-the-server', 'Use password hashing: store no passwords for the server itself.'],
	['correct horse battery staple', 'That the battery is correct, a horse can’t tell; a staple can.'],
	['local-development-key-1', 'Local development needs a key, and development takes long.'],
	['Password1', 'Passwords are asked for here: Password, then password.'],
	['password123', 'def check_password(password): const password = ask("password")'],
	['Development1', 'Development takes long.'],
	['OpenWebUI-development-key', 'Use OpenWebUI for development.'],
	['vLLM-production-key', 'Use it in production only.'],
	['mysupersecretpassword', 'Your password is yours.'],
	['localhost-8080', 'Ask localhost, at port 8080.'],
	['gpt-oss-home-server-1', 'openai/gpt-oss-120b, gpt-oss-20b'],
	['end-to-end-encrypted-2024', 'It is end-to-end encrypted.'],
	['my password 1', 'I forgot my password again.'],
	['llama-3.1', 'Use llama-3.2 or llama-3.'],
	['localhost:8080', 'Ask localhost:8000 or localhost:8081.'],
	['Hello, World', 'Hello World'],
	['production-7f3k9q2x', 'In production, use a proxy; production-7 is a name.'],
	['openwebui-4f9a2c7e1b', 'pip install openwebui'],
	['Password1!aB3$xY9', 'Password, password: Password1!'],
	['mistral-7f3k9q2x4z', 'Use mistral-7b or mistral-large.'],
	['deepseek-9f8e7d6c5b4a', 'Use deepseek-r1 or deepseek-chat.'],
	['sk-1234567890abcdef', 'Count: 0123456789abcdef, 1234567890.'],
	['00000000000000000000', 'It is 0000000000 in hexadecimal.'],
	['admin1234', 'The user is admin123.'],
	['openai2024', 'In openai2025 all is new.'],
	['20240115', 'On 20240116 it was cold.'],
	[
		'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6IjQyMTdhMGI5LTM5ZjEtNGQ3ZS05YzE1LTBlNmQ1ZjhiN2EyYyJ9.q3Yt0Zb8mV5xN1cR7sKp2WdLhJ4gFa6uTeQoXyIvB9M',
		'A token begins with eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 and a dot; {"id": …} is eyJpZCI6I….'
	]
])('[P8] of the key %j words, rows and headers stay, and the key goes', (secret, text) => {
	const redactor = new SecretRedactor(secret);
	expect(redactor.redact(text)).toBe(text);
	expect(redactor.redact(`It is ${secret}.`)).toBe('It is [API key].');
	expect(redactor.redact(`It is ${encodeURIComponent(secret)}.`)).toBe('It is [API key].');
	expect(redactor.redact(`It is ${btoa(secret)}.`)).not.toContain(btoa(secret).slice(4, -4));
	expect(streamed(new SecretRedactor(secret), text, [5, 9, 11, 14, 20, 22])).toBe(text);
});

test('[P8] of a token of which the end was cut off no more is left than what every token begins with, and its payload', () => {
	const token = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${'eyJpZCI6IjQyMTdhMGI5'.repeat(5)}.q3Yt0Zb8mV5xN1cR7sKp2WdLhJ4gFa6uTeQoXyIvB9M`;
	const signed = token.lastIndexOf('.') + 1;
	const redactor = new SecretRedactor(token);
	for (let cut = 1; cut <= 30; cut++) expect(redactor.redact(token.slice(0, -cut)), String(cut)).toMatch(/\[API key\]$/);
	expect(redactor.redact(token.slice(0, -5))).not.toContain(token.slice(signed, signed + 12));
});

test('[P8] a secret is looked for as it is sent, without blanks at its ends', () => {
	expect(new SecretRedactor(' Password1  ').redact('Wrong key "Password1".')).toBe('Wrong key "[API key]".');
});

test('a long text takes no longer than it should', () => {
	const redactor = new SecretRedactor(`sk-${'a1'.repeat(40)}`);
	const started = performance.now();
	for (let i = 0; i < 20_000; i++) redactor.next('sk-a1a1a1a some words that follow ');
	expect(performance.now() - started).toBeLessThan(10_000);
});

const escaped = (text: string, every: number) =>
	Array.from(text, (character, at) => (at % every === 0 ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character)).join('');

test.each([1, 2, 6])('[P8] JSON has nothing of it in its strings and names, whatever is escaped (one character in %i)', (every) => {
	for (const secret of ['sk-proj/9fK2vQz8LmN4xT7wRb3YcE', 'correct-horse-battery-staple', 'hunter2hunter']) {
		const redactor = new SecretRedactor(secret);
		const written = `{"q": "tea ${escaped(secret, every)}.", "${escaped(secret, every)}": [1, {"deep": "${escaped(btoa(secret), every)}"}], "path": "a\\/b"}`;
		const read: unknown = JSON.parse(redactor.redactJson(written));
		expect(JSON.stringify(read)).not.toContain(secret);
		expect(JSON.stringify(read)).not.toContain(btoa(secret).slice(4, -4));
		expect(read).toMatchObject({ q: 'tea [API key].', path: 'a/b' });
	}
});

test('[P8] what is no JSON has nothing of it either once what is escaped is read', () => {
	const secret = 'sk-proj/9fK2vQz8LmN4xT7wRb3YcE';
	const redactor = new SecretRedactor(secret);
	expect(redactor.redactJson(`{"q": "${escaped(secret, 1)}`)).toBe('{"q": "[API key]');
	// A name that is there twice: the parser reads its last value only.
	expect(redactor.redactJson(`{"q": "${escaped(secret, 1)}", "q": 1}`)).toBe('{"q": "[API key]", "q": 1}');
	expect(redactor.redactJson(`${'['.repeat(100_000)}"${escaped(secret, 3)}"`)).not.toMatch(/9fK2|\\u0073/);
});

test('JSON without it stays as it was written, to the byte', () => {
	const redactor = new SecretRedactor('sk-proj/9fK2vQz8LmN4xT7wRb3YcE');
	for (const text of ['{ "a" : "\\u0041\\n", "n": 1.0e2 }', '{"a": "\\u00', 'C:\\new', '']) expect(redactor.redactJson(text)).toBe(text);
});

test('[P8] a long secret costs no more than a short one, also in a text that is made of nearly its parts', () => {
	const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
	const random = (length: number, step: number) => Array.from({ length }, (_, at) => letters[(at * at * 7 + at * step) % 61]).join('');
	const cost = (secret: string, text: string) => {
		const redactor = new SecretRedactor(secret);
		return Math.min(
			...Array.from({ length: 3 }, () => {
				const started = performance.now();
				redactor.redact(text);
				return performance.now() - started;
			})
		);
	};
	const [short, long] = [random(40, 5), random(1200, 3)];
	const plain = random(100_000, 11);
	const nearly = `${long.slice(0, 63)}#`.repeat(1500);
	expect(cost(long, plain) / cost(short, plain)).toBeLessThan(6);
	expect(cost(long, nearly) / cost(short, plain)).toBeLessThan(40);
});
