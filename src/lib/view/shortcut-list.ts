import { actions } from './actions';
import type { Action } from './actions/action';
import { nameOf } from './shortcuts';

export interface Shortcut {
	label: string;
	/** Each of the keys that do it. */
	keys: string[];
}

const places: { name: string; actions: readonly Pick<Action, 'label' | 'keys'>[] }[] = [
	{ name: 'Anywhere', actions: [...actions.ways, ...actions.app] },
	{ name: 'In a chat', actions: [...actions.chat, ...actions.paste] },
	{ name: 'While finding in a chat', actions: actions.hits },
	{ name: 'On a chat in a list', actions: actions.session },
	{ name: 'On a message', actions: actions.message },
	{ name: 'In the tree', actions: actions.node }
];

/** Every shortcut there is, by where it works. */
export const shortcutsByPlace = places
	.map(({ name, actions }) => ({ name, shortcuts: actions.flatMap(({ label, keys }): Shortcut[] => (keys ? [{ label, keys: keys.map(nameOf) }] : [])) }))
	.filter(({ shortcuts }) => shortcuts.length > 0);
