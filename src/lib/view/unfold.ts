/** Opens all folds that an element is in, so that it can be seen. */
export function unfold(element: Element | null): void {
	for (let folded = element?.closest('details'); folded; folded = folded.parentElement?.closest('details')) folded.open = true;
}
