import type { Action } from './actions/action';

const onApple = /Mac|iPhone|iPad/.test(navigator.platform);

const shown: Record<string, string> = { Delete: 'Del', ' ': 'Space', Escape: 'Esc', ArrowUp: '↑' };

/** Returns keys as users read them. */
export function nameOf(keys: string): string {
	const parts = keys.split('+');
	return onApple
		? parts.map((part) => ({ Mod: '⌘', Shift: '⇧' })[part] ?? shown[part] ?? part).join('')
		: parts.map((part) => (part === 'Mod' ? 'Ctrl' : (shown[part] ?? part))).join(' ');
}

/** Returns the keys of an action as users read them, the first of them only, and as `aria-keyshortcuts` has them; nothing if it has none. */
export function keysOf({ keys: all }: Pick<Action, 'keys'>): { name: string; aria: string } | undefined {
	if (!all) return undefined;
	return { name: nameOf(all[0]), aria: all.map((keys) => keys.replace('Mod', onApple ? 'Meta' : 'Control').replace(' ', 'Space')).join(' ') };
}

/** Tells whether a key was pressed that an action has. A sign is none where it can be typed, and takes Shift on many keyboards. */
export function isShortcut(event: KeyboardEvent, { keys: all }: Pick<Action, 'keys'>): boolean {
	const { key, altKey, shiftKey, ctrlKey, metaKey, isComposing, target } = event;
	const [mod, other] = onApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
	if (!all || altKey || other || isComposing) return false;
	return all.some((keys) => {
		const parts = keys.split('+');
		const wanted = parts.at(-1)!;
		if (key.toLowerCase() !== wanted.toLowerCase() || mod !== parts.includes('Mod')) return false;
		if ('/?'.includes(wanted)) return !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
		return shiftKey === parts.includes('Shift');
	});
}
