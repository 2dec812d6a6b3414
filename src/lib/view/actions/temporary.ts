import Hourglass from '@lucide/svelte/icons/hourglass';
import Save from '@lucide/svelte/icons/save';
import { app } from '../../app';
import { isTemporary } from '../../shared/is-temporary';
import { temporaryPath } from '../temporary';
import { reportFailure } from '../notices.svelte';
import { turnOf } from '../turns.svelte';
import type { Action } from './action';
import type { SessionTarget } from './rename';

/** Begins a chat of which nothing is stored, in a page of its own: in another tab where an answer is being written, which goes on in this one. */
export const temporaryChat: Action = {
	id: 'temporary-chat',
	label: 'Temporary chat',
	also: 'incognito, private, history',
	icon: Hourglass,
	enabled: () => !isTemporary(),
	run: async () => {
		if ((await app.answering()).length === 0) return void (location.href = temporaryPath);
		// Not by `open`: Firefox does other things in the middle of it, and ends transactions that are under way.
		Object.assign(document.createElement('a'), { href: temporaryPath, target: '_blank', rel: 'noopener' }).click();
	}
};

/** Makes an ordinary chat of a temporary one, once its answer is done. */
export const keepChat: Action<SessionTarget> = {
	id: 'keep-chat',
	label: 'Keep this chat',
	also: 'temporary, save, store',
	icon: Save,
	enabled: ({ session }) => isTemporary() && !turnOf(session.id)?.busy,
	run: ({ session }) => reportFailure(async () => (await import('../keep-temporary')).keepTemporary(session.id))
};
