const onApple = /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * The keys of each action that has some, by its id; those that are shown come first. `Mod` is ⌘ on Apple's machines and Ctrl
 * elsewhere. Keys that only move within a piece of the page, such as arrows, are its own.
 */
export const shortcuts = {
	search: ['Mod+K', '/'],
	rename: ['F2'],
	find: ['Mod+F'],
	'next-hit': ['F3', 'Mod+G'],
	'previous-hit': ['Shift+F3', 'Shift+Mod+G'],
	'go-to-node': ['Enter', ' '],
	'branch-from-node': ['B'],
	'label-node': ['L'],
	'set-main-node': ['M'],
	'compare-node': ['C'],
	'delete-node': ['Delete']
};

export type ShortcutId = keyof typeof shortcuts;

const shown: Record<string, string> = { Delete: 'Del', ' ': 'Space' };

/** Returns the keys of an action as users read them, the first of them only, and as `aria-keyshortcuts` has them; nothing if it has none. */
export function keysOf(id: string): { name: string; aria: string } | undefined {
	if (!Object.hasOwn(shortcuts, id)) return undefined;
	const all = shortcuts[id as ShortcutId];
	const parts = all[0]!.split('+');
	const name = onApple
		? parts.map((part) => ({ Mod: '⌘', Shift: '⇧' })[part] ?? shown[part] ?? part).join('')
		: parts.map((part) => (part === 'Mod' ? 'Ctrl' : (shown[part] ?? part))).join(' ');
	return { name, aria: all.map((keys) => keys.replace('Mod', onApple ? 'Meta' : 'Control').replace(' ', 'Space')).join(' ') };
}

/** Tells whether a key was pressed that an action has. A sign is none where it can be typed, and takes Shift on many keyboards. */
export function isShortcut(event: KeyboardEvent, id: ShortcutId): boolean {
	const { key, altKey, shiftKey, ctrlKey, metaKey, isComposing, target } = event;
	const [mod, other] = onApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
	if (altKey || other || isComposing) return false;
	return shortcuts[id].some((keys) => {
		const parts = keys.split('+');
		const wanted = parts.at(-1)!;
		if (key.toLowerCase() !== wanted.toLowerCase() || mod !== parts.includes('Mod')) return false;
		if (wanted === '/') return !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
		return shiftKey === parts.includes('Shift');
	});
}
