/** More combining marks, or skin tones, on one character than any script needs. */
const piled = /([\p{M}\p{Emoji_Modifier}]{30})[\p{M}\p{Emoji_Modifier}]+/gu;

/** A text as it can be drawn: laying out hundreds of thousands of marks on one character takes minutes, and no line breaks between them. */
export function withoutPiledMarks(text: string): string {
	return text.replace(piled, '$1');
}
