/**
 * Tells whether a key belongs to an input method, which makes characters of several keys: Enter takes its proposal then. Safari tells
 * that the composition has ended before the Enter that ended it, which it gives the code of such keys all the same.
 */
export function isComposing(event: KeyboardEvent): boolean {
	return event.isComposing || event.keyCode === 229;
}
