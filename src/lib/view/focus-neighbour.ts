/** Moves the focus off a button whose item goes: to that of the next item, else of the one before, else to `otherwise`. */
export function focusNeighbour(button: HTMLElement, buttons: Iterable<HTMLElement>, otherwise?: HTMLElement): void {
	const all = [...buttons];
	const at = all.indexOf(button);
	(all[at + 1] ?? all[at - 1] ?? otherwise)?.focus();
}
