import Pencil from '@lucide/svelte/icons/pencil';
import type { Session } from '../../conversation/session';
import type { Action } from './action';

// The list at the side has its keys, and loads no other action on a session.

/** A session where it is shown, with the way to write over its name there. */
export interface SessionTarget {
	session: Session;
	rename: () => void;
}

export const rename: Action<SessionTarget> = { id: 'rename', label: 'Rename', icon: Pencil, keys: ['F2'], command: 'rename', run: ({ rename }) => rename() };
