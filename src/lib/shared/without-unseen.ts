import { unseenCharacters } from './unseen-characters';

/** Characters that take no place of their own, also those that some scripts and emoji need. */
const ignored = '\\p{Default_Ignorable_Code_Point}';

/**
 * Matches what can't be seen in a text, and before that, as the first group, what has a use where it stands: an emoji, a joiner or a variation
 * selector after a letter or a symbol, and a mark of direction; of the latter no two in a row, since those could spell something.
 */
const pattern = new RegExp(
	[
		String.raw`(\p{RGI_Emoji}|(?<=[[\p{L}\p{M}\p{S}]--${ignored}])[\u200c\u200d\ufe00-\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<!${ignored})[\u061c\u200e\u200f])`,
		String.raw`(?![\t\n\r])[\p{Cc}${unseenCharacters}${ignored}]`
	].join('|'),
	'gv'
);

/** Returns a text without what can't be seen in it, so that nobody sends what they did not read. */
export function withoutUnseen(text: string): string {
	return text.replace(/[\u2028\u2029]/g, '\n').replace(pattern, '$1');
}
