import { isShortcut, shortcut } from './shortcuts';

/** Whether the dialog named “Commands” is open: the way to everything by a few letters. */
export const palette = $state({ open: false });

/** The keys that open it. */
export const paletteKeys = shortcut('k');

export function isPaletteKey(event: KeyboardEvent): boolean {
	return isShortcut(event, 'k');
}

/** Whether the key asks for a search: a slash, where nothing can be typed into. It takes Shift on many keyboards. */
export function isSearchKey({ key, altKey, ctrlKey, metaKey, isComposing, target }: KeyboardEvent): boolean {
	if (key !== '/' || altKey || ctrlKey || metaKey || isComposing) return false;
	return !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
}
