import Columns from '@lucide/svelte/icons/columns-2';
import Search from '@lucide/svelte/icons/search';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import Wrench from '@lucide/svelte/icons/wrench';
import { source } from '../source.svelte';
import { isTemporary } from '../../shared/is-temporary';
import type { Action } from './action';

export const modelSettings: Action = {
	id: 'model-settings',
	label: 'Model settings',
	icon: SlidersHorizontal,
	run: () => (source.choosing = 'settings')
};

export const chatTools: Action = {
	id: 'chat-tools',
	label: 'Tools',
	also: 'functions agent search files web notes permissions',
	icon: Wrench,
	// Where nothing answers there is no model that they could be for.
	enabled: () => source.current !== undefined,
	run: () => (source.choosing = 'tools')
};

export const findModel: Action = {
	id: 'find-model',
	label: 'Find a model for this device…',
	also: 'download GGUF Hugging Face local',
	icon: Search,
	enabled: () => !isTemporary(),
	run: () => (source.choosing = 'find')
};

/** The button below the composer that opens the menu of models, where there is a model. */
const menuButton = () => document.querySelector<HTMLElement>('.frame-strip .model');

/** Set while the menu of models is being opened to have a second one chosen. */
export const opening = { isForSecond: false };

export const askSecond: Action = {
	id: 'ask-second-model',
	label: 'Ask a second model too…',
	also: 'compare two answers',
	icon: Columns,
	enabled: () => menuButton() !== null,
	run() {
		opening.isForSecond = true;
		menuButton()?.click();
	}
};
