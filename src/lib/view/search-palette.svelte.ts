/** Whether the dialog named “Commands” is open: the way to everything by a few letters. */
export const palette = $state({ open: false });

const onApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open it, as people read them, and as assistive technology does. */
export const paletteKeys = onApple ? { name: '⌘K', aria: 'Meta+K' } : { name: 'Ctrl K', aria: 'Control+K' };

export function isPaletteKey(event: KeyboardEvent): boolean {
	const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
	return key.toLowerCase() === 'k' && !altKey && !shiftKey && (onApple ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}

/** Whether the key asks for a search: a slash, where nothing can be typed into. It takes Shift on many keyboards. */
export function isSearchKey({ key, altKey, ctrlKey, metaKey, isComposing, target }: KeyboardEvent): boolean {
	if (key !== '/' || altKey || ctrlKey || metaKey || isComposing) return false;
	return !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
}
