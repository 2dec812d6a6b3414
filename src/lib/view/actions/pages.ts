import { resolve } from '$app/paths';
import HardDrive from '@lucide/svelte/icons/hard-drive';
import Keyboard from '@lucide/svelte/icons/keyboard';
import TextSearch from '@lucide/svelte/icons/text-search';
import Trash from '@lucide/svelte/icons/trash-2';
import { palette } from '../search-palette.svelte';
import { asking, newest } from '../sessions.svelte';
import { isTemporary } from '../../shared/is-temporary';
import { wayTo, type Action } from './action';
import { shortcutKeys } from './app';

export const searchPage = wayTo({ id: 'search-page', label: 'Search page', icon: TextSearch, href: () => resolve('/(app)/search') });

export const storagePage = wayTo({ id: 'storage', label: 'Storage', icon: HardDrive, href: () => resolve('/(app)/settings/storage') });

export const showShortcuts: Action = {
	id: 'shortcuts',
	label: 'Keyboard shortcuts',
	icon: Keyboard,
	...shortcutKeys,
	run: () => (palette.open = 'shortcuts')
};

export const deleteEverything: Action = {
	id: 'delete-everything',
	label: 'Delete everything…',
	icon: Trash,
	danger: true,
	enabled: () => newest.current !== undefined && !isTemporary(),
	run: () => (asking.what = 'everything')
};
