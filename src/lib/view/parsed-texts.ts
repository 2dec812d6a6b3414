import type { BlockStream } from '../markdown/blocks';

const maxTexts = 100;
/** The length of a text from which on it is parsed anew each time, in UTF-16 units. */
const maxLength = 20_000;

/** Texts that are not drawn any more, as they were parsed, the newest last: one comes back to a chat. */
const parsed = new Map<string, BlockStream>();

/** Keeps what was parsed of a text, whole, until it is drawn again or others are kept in its place. */
export function keepParsed(text: string, stream: BlockStream): void {
	if (text.length > maxLength) return;
	parsed.set(text, stream);
	if (parsed.size > maxTexts) parsed.delete(parsed.keys().next().value!);
}

/** Forgets all texts, as after one was erased. */
export function forgetParsed(): void {
	parsed.clear();
}

/** Returns what is kept of a text, for one that draws it: it is not kept any more then, since it may grow there. */
export function takeParsed(text: string): BlockStream | undefined {
	const stream = parsed.get(text);
	parsed.delete(text);
	return stream;
}
