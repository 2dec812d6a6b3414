import { unseenCharacters } from './unseen-characters';

const outOfLine = new RegExp(`[\\p{Cc}${unseenCharacters}]+`, 'gu');

/** Returns a name on one line, without what can't be seen or turns the words around it. */
export function plainName(name: string): string {
	return name.replace(outOfLine, ' ').trim();
}

/** Returns the name of a file, as `plainName`. */
export function plainFileName(name: string): string {
	return plainName(name) || 'file';
}
