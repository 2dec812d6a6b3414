import { conversations } from '../app/conversations';
import { nameOfLeft } from '../storage/left-texts';
import { TypedText } from './typed-text.svelte';

const fields = new Map<string, TypedText>();

/** Returns the field of the prompt that the next message of a chat brings, which is stored as it is typed. */
export function promptField(sessionId: string): TypedText {
	const write = (next: (stored: string) => string) => conversations.prompts.change(sessionId, next);
	// A message takes it without the spaces around it, which one who goes on typing has put there.
	const isSame = (stored: string, known: string) => stored.trim() === known.trim();
	const made = () => new TypedText(write, () => nameOfLeft('prompt', sessionId), 'the system prompt of this chat', isSame);
	const field = fields.get(sessionId) ?? made();
	fields.set(sessionId, field);
	return field;
}
