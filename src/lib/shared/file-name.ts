import { unseenCharacters } from './unseen-characters';

const outOfLine = new RegExp(`[\\p{Cc}${unseenCharacters}]+`, 'gu');

/** Returns the name of a file on one line, without what can't be seen or turns the words around it. */
export function plainFileName(name: string): string {
	return name.replace(outOfLine, ' ').trim() || 'file';
}
