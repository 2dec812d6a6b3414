const onApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A letter with the key that commands take here, as people read it, and as assistive technology does. */
export function shortcut(letter: string): { name: string; aria: string } {
	const capital = letter.toUpperCase();
	return onApple ? { name: `⌘${capital}`, aria: `Meta+${capital}` } : { name: `Ctrl ${capital}`, aria: `Control+${capital}` };
}

/** Whether that letter was pressed with that key; `shifted` lets Shift be held too. */
export function isShortcut(event: KeyboardEvent, letter: string, { shifted = false } = {}): boolean {
	const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
	return key.toLowerCase() === letter && !altKey && (shifted || !shiftKey) && (onApple ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}
