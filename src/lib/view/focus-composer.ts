/** Tells whether an element is the field of the composer. */
export function isComposerField(target: EventTarget | null): target is HTMLTextAreaElement {
	return target instanceof HTMLTextAreaElement && target.closest('.frame-dock') !== null;
}

/** Leads to where the next message is written. */
export function focusComposer(): void {
	document.querySelector<HTMLElement>('.frame-dock textarea')?.focus();
}
