import { shorten } from '../shared/shorten';
import { filesOf, textOf, type Message } from './message';

const maxLength = 200;

/** Returns how a session's first message begins, on one line; the names of its files where it says nothing. */
export function previewOf(message: Pick<Message, 'parts'>): string {
	const line = textOf(message).replace(/\s+/g, ' ').trim();
	return shorten(line || filesOf(message).map(({ name }) => name).join(', '), maxLength);
}
