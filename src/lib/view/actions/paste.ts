import ClipboardType from '@lucide/svelte/icons/clipboard-type';
import type { Action } from './action';

/** Has a text that was attached as a file in the message after all; the target does that. */
export const pasteAsText: Action<() => void> = {
	id: 'paste-as-text',
	label: 'Paste as text instead',
	icon: ClipboardType,
	keys: ['Mod+Z'],
	run: (paste) => paste()
};
