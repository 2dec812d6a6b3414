/**
 * The inside of a character class, for the flag `u`: characters that have no look of their own or turn the text around them, wherever they
 * stand. Joiners and variation selectors are not among them, since scripts and emoji need them.
 */
export const unseenCharacters =
	'\\p{Bidi_Control}\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2028\\u2029\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffc' +
	'\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
