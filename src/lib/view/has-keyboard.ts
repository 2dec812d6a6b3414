/** Tells whether there is a keyboard of its own: on a touch screen one would cover the page unasked. */
export function hasOwnKeyboard(): boolean {
	return matchMedia('(pointer: fine)').matches;
}

/** Tells whether a key sends what is written: Enter, with Ctrl or ⌘ where the user has it make a new line. One that is held since another page was there does not. */
export function sendsBy({ key, repeat, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
	return key === 'Enter' && !repeat && !shiftKey && (document.documentElement.dataset.enter !== 'line' || ctrlKey || metaKey);
}
