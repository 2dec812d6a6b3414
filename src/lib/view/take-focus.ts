/** Has a control take the focus where it was on what is gone. For `{@attach}`. */
export function takeFocus(control: HTMLElement): void {
	const { activeElement } = document;
	if (!activeElement || activeElement === document.body || activeElement instanceof HTMLDialogElement) control.focus();
}
