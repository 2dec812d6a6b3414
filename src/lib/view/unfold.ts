/** Opens all folds that an element is in, so that it can be seen. */
export function unfold(element: Element | null): void {
	for (let folded = element?.closest('details'); folded; folded = folded.parentElement?.closest('details')) folded.open = true;
	// Other folds are told as the browser tells them of what it has found.
	element?.dispatchEvent(new Event('beforematch', { bubbles: true }));
}
