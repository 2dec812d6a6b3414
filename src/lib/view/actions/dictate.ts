import Mic from '@lucide/svelte/icons/mic';
import { recognition } from '../recognition';
import type { Action } from './action';

/** Writes down what is said, into the composer that is on the screen; its button does that. */
export const dictate: Action = {
	id: 'dictate',
	label: 'Dictate',
	icon: Mic,
	enabled: () => recognition !== undefined && document.querySelector('.frame-dock textarea:read-write') !== null,
	run: () => document.querySelector<HTMLElement>('.frame-dock [data-action="dictate"]')?.click()
};
