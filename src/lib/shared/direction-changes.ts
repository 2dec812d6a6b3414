/** The inside of a character class, for the flag `u`: scripts that are written from right to left, with their digits. */
export const rightToLeftCharacters = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';

const turning = new RegExp(`[${rightToLeftCharacters}\\p{Bidi_Control}]`, 'u');

/** Tells whether a text has anything that is not written from left to right: all others are laid out in good time. */
export function mayChangeDirection(text: string): boolean {
	return turning.test(text);
}

/** The inside of such a class: Arabic numbers. */
const arabicCharacters = '\\u0600-\\u0605\\u0660-\\u0669\\u066b\\u066c\\u06dd\\u0890\\u0891\\u08e2';

/**
 * Runs of characters that the bidirectional algorithm (UAX #9) treats alike: controls of direction; what parts lines and columns, which is laid out
 * in the direction of its paragraph; Arabic numbers; what is written from right to left, and from left to right; digits; what has no
 * direction; what has that of the character before; marks and formats that may have one. Of all else, such as symbols, it is not told.
 */
const run = new RegExp(
	[
		'(?<control>\\p{Bidi_Control})',
		'(?<separator>[\\t-\\r\\x1c-\\x1f\\x85\\u2029]+)',
		`(?<arabic>[${arabicCharacters}]+)`,
		`(?<right>(?:(?=[\\p{L}\\u070f])[${rightToLeftCharacters}])+)`,
		`(?<left>(?:(?![${rightToLeftCharacters}])[\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lo}])+)`,
		'(?<digits>[0-9]+)',
		'(?<neutral>[ !-/:-@\\[-`{-~]{1,100})',
		`(?<same>\\p{Cc}|(?=\\p{Default_Ignorable_Code_Point})\\p{Cf}|(?=[\\p{Script=Inherited}${rightToLeftCharacters}])[\\p{Mn}\\p{Me}])`,
		'(?<mark>[\\p{M}\\p{Cf}])',
		'(?<other>[^])'
	].join('|'),
	'gu'
);
type Kind = 'control' | 'separator' | 'arabic' | 'right' | 'left' | 'digits' | 'other';

/**
 * The most changes of direction and open brackets that are laid out in one piece: more of them take longer by the square, since each is looked
 * for among all.
 */
const maxCost = 4000;

/**
 * Cuts a text into pieces that are laid out in good time, each as a block of its own, where it changes its direction, or opens
 * brackets that nothing closes, more often than any text has to; at the end of a line or between words where there is one. It counts rather too many changes than too few.
 */
export function cutAtDirectionChanges(text: string): string[] {
	if (!mayChangeDirection(text)) return [text];
	const pieces: string[] = [];
	let start = 0;
	let costOf = newCost();
	run.lastIndex = 0;
	for (let found = run.exec(text); found; found = run.exec(text)) {
		if (costOf(found) <= maxCost) continue;
		const piece = text.slice(start, found.index);
		const end = start + (piece.lastIndexOf('\n') + 1 || piece.lastIndexOf(' ') + 1 || piece.length);
		pieces.push(text.slice(start, end));
		run.lastIndex = start = end;
		costOf = newCost();
	}
	return [...pieces, text.slice(start)];
}

/** Returns a function that takes the runs of a text, one after another, and tells how many changes and open brackets it has so far. */
function newCost(): (run: RegExpExecArray) => number {
	let changes = 0;
	let last: Kind | undefined;
	/** Characters since, which have no direction of their own. */
	let between = '';
	/** True after letters from left to right: digits there have their direction. */
	let isLeft = false;
	/** The brackets that would close those that are open: each one that comes is looked for in all of them. */
	const closers: string[] = [];
	return ({ groups, 0: text }) => {
		const name = Object.keys(groups!).find((name) => groups![name] !== undefined) as Kind | 'neutral' | 'same' | 'mark';
		// After a letter from left to right all have the same direction.
		if (name === 'neutral' || name === 'same' || (name === 'mark' && last === 'left' && between === '')) {
			// A mark that has no letter to go with has no direction either.
			if (name === 'neutral' || between !== '' || isBreak(last)) between += text;
			for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
				const closer = { '(': ')', '[': ']', '{': '}' }[bracket];
				if (closer) closers.push(closer);
				else if (closers.at(-1) === bracket) {
					closers.pop();
					// Both of a pair may have the direction of their paragraph, between letters of the other.
					changes += 2;
				}
			}
			return changes + closers.length;
		}
		const kind = name === 'digits' && isLeft ? 'left' : name === 'mark' ? 'other' : name;
		changes += changesBetween(last, between, kind);
		if (kind !== 'arabic') isLeft = kind === 'left';
		last = kind;
		between = '';
		return changes + closers.length;
	};
}

/** Returns how often a text may change its direction from one run to the next, over what is between them. */
function changesBetween(last: Kind | undefined, between: string, kind: Kind): number {
	const isNumber = kind === 'digits' || kind === 'arabic';
	if (isNumber && kind === last && /^[.,:/]$/.test(between)) return 0;
	const isOne = kind === last && (kind === 'left' || kind === 'right');
	const goesOn = kind === 'right' || last === 'right';
	if (between !== '' && !isOne && (!goesOn || isBreak(kind) || isBreak(last))) return 2;
	return kind !== last || kind === 'control' || kind === 'other' ? 1 : 0;
}

/** Tells whether what is beside it may be laid out in the direction of something else than its neighbours. */
function isBreak(kind: Kind | undefined): boolean {
	return kind === 'separator' || kind === 'control';
}
