import Hourglass from '@lucide/svelte/icons/hourglass';
import { app } from '../../app';
import { isTemporary } from '../../shared/is-temporary';
import { temporaryPath } from '../temporary';
import type { Action } from './action';

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
