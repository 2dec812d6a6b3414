import { unseenCharacters } from './unseen-characters';

/** Characters that take no place of their own, also those that some scripts and emoji need. */
const ignored = '\\p{Default_Ignorable_Code_Point}';

/** Letters of scripts that join, in which a joiner changes what is seen. */
const joining = String.raw`[[\p{L}\p{M}]--[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}${ignored}]]`;

/** Letters that are written from right to left. */
const rightToLeft = /[\p{scx=Hebrew}\p{scx=Arabic}\p{scx=Syriac}\p{scx=Thaana}\p{scx=Nko}\p{scx=Adlam}\p{scx=Hanifi_Rohingya}\p{scx=Mandaic}\p{scx=Samaritan}]/u;

/** Letters of scripts that put no space between words. */
const unspaced = String.raw`[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]`;

/** Marks of direction, of which no two stand in a row, since those could spell something. */
const directionMark = `(?<!${ignored})[\\u061c\\u200e\\u200f]`;

/**
 * Matches of what has a use where it stands: an emoji and what puts several together, a joiner beside a letter that joins, a variation of an
 * ideograph, of a Mongolian letter or of a few others, and what parts words that have no space between them.
 */
const used = [
	String.raw`\p{RGI_Emoji}`,
	String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
	String.raw`(?<=[\p{Emoji_Modifier}\p{Extended_Pictographic}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
	`(?<=${joining})[\\u200c\\u200d]`,
	`(?<!${ignored})\\u200c(?=${joining})`,
	String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
	String.raw`(?<=[\p{Script=Mongolian}&&\p{L}])[\u180b-\u180f]`,
	String.raw`(?<=[\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}])\ufe00`,
	`(?<=${unspaced})\\u200b(?=${unspaced})`
];

const patternOf = (used: string[]) => new RegExp(`(${used.join('|')})|(?![\\t\\n\\r])[\\p{Cc}${unseenCharacters}${ignored}]`, 'gv');
const pattern = patternOf(used);
/** The same for a text that runs both ways. */
const bothWays = patternOf([...used, directionMark]);

/** Returns a text without what can't be seen in it, so that nobody sends what they did not read. */
export function withoutUnseen(text: string): string {
	return text.replace(/[\u2028\u2029]/g, '\n').replace(rightToLeft.test(text) ? bothWays : pattern, '$1');
}
