import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import { source } from '../source.svelte';
import type { Action } from './action';

export const modelSettings: Action = {
	id: 'model-settings',
	label: 'Model settings',
	icon: SlidersHorizontal,
	run: () => (source.choosing = 'settings')
};
