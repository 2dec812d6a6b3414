/** Tells whether there is a keyboard of its own: on a touch screen one would cover the page unasked. */
export function hasOwnKeyboard(): boolean {
	return matchMedia('(pointer: fine)').matches;
}
