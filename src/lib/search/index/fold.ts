import { wholeBefore } from './runs';

/** Limit of a term, in UTF-16 units. */
export const maxTermLength = 64;

/** Diacritics of Latin, Greek, Cyrillic, Arabic and Hebrew, but no marks of scripts that need theirs; and what is invisible. */
const marks = /[\u0300-\u036F]|[\u064B-\u065F]|\u0640|\u0670|\u20E3|(?=\p{M})\p{sc=Hebrew}|\p{Default_Ignorable_Code_Point}/gu;

/** Letters that people write otherwise where they do not have them, though Unicode does not take them apart. */
const replacements = new Map(
	Object.entries({
		...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n' },
		...{ ς: 'σ', '\u2010': '-' }
	})
);
const special = new RegExp(`[${[...replacements.keys()].join('')}]`, 'g');

/** A token in small letters without diacritics, in the form that other widths of its characters have too; at most 64 units. */
export function fold(token: string): string {
	// Folding changes the length, but hardly ever so much.
	const start = token.length > 2 * maxTermLength ? token.slice(0, wholeBefore(token, 2 * maxTermLength)) : token;
	const small = start.normalize('NFKC').toLowerCase();
	const folded = /^[\x00-\x7f]*$/.test(small) ? small : withoutMarks(small);
	return unsliced(folded.length > maxTermLength ? folded.slice(0, wholeBefore(folded, maxTermLength)) : folded);
}

function withoutMarks(small: string): string {
	const bare = small.normalize('NFD').replace(marks, '').normalize('NFC');
	return bare.replace(special, (letter) => replacements.get(letter)!);
}

/** A copy, since a slice of a text would keep the whole of it in memory. */
export function unsliced(text: string): string {
	return text.length < 13 ? text : ` ${text}`.slice(1);
}
