import { resolve } from '$app/paths';
import FolderPlus from '@lucide/svelte/icons/folder-plus';
import PanelLeft from '@lucide/svelte/icons/panel-left';
import Plus from '@lucide/svelte/icons/plus';
import Settings from '@lucide/svelte/icons/settings-2';
import { palette } from '../search-palette.svelte';
import { asking } from '../sessions.svelte';
import { foldSidebar, hasSidebarRoom, isSidebarFolded } from '../sidebar';
import { source } from '../source.svelte';
import { isTemporary } from '../../shared/is-temporary';
import { wayTo, type Action } from './action';

// What the first screen shows, which loads this file: other actions are in files of their own, and so are icons that it does not show.

/** Tells whether what is made here is stored. */
const isStored = () => !isTemporary();

export const newChat = wayTo({ id: 'new-chat', label: 'New chat', icon: Plus, keys: ['Mod+Shift+O'], command: 'new', href: () => resolve('/') });

export const openSettings = wayTo({ id: 'settings', label: 'Settings', icon: Settings, href: () => resolve('/(app)/settings') });

export const newWorkspace: Action = { id: 'new-workspace', label: 'New workspace…', icon: FolderPlus, enabled: isStored, run: () => (asking.what = 'workspace') };

/** The action `search`, without its icon. */
export const openSearch: Omit<Action, 'icon'> = {
	id: 'search',
	label: 'Search',
	keys: ['Mod+K', '/'],
	enabled: () => !palette.open,
	run: () => (palette.open = true)
};

export const toggleSidebar: Action = {
	id: 'sidebar',
	label: 'Show or hide the sidebar',
	icon: PanelLeft,
	keys: ['Mod+B'],
	enabled: hasSidebarRoom,
	run: () => foldSidebar(!isSidebarFolded())
};

/** The keys of `showShortcuts`, which is in a file that is loaded later. */
export const shortcutKeys = { keys: ['?'] } as const satisfies Pick<Action, 'keys'>;

/** The action “Change model”, without its icon. */
export const changeModel: Omit<Action, 'icon'> = { id: 'change-model', label: 'Change model', enabled: isStored, run: () => (source.choosing = 'all') };
