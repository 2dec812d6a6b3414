import { resolve } from '$app/paths';
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import FolderPlus from '@lucide/svelte/icons/folder-plus';
import List from '@lucide/svelte/icons/list';
import PanelLeft from '@lucide/svelte/icons/panel-left';
import Plus from '@lucide/svelte/icons/plus';
import Search from '@lucide/svelte/icons/search';
import Settings from '@lucide/svelte/icons/settings-2';
import { palette } from '../search-palette.svelte';
import { asking } from '../sessions.svelte';
import { foldSidebar, hasSidebarRoom, isSidebarFolded } from '../sidebar';
import { source } from '../source.svelte';
import { wayTo, type Action } from './action';

// What the first screen shows, which loads this file: other actions are in files of their own.

export const newChat = wayTo({ id: 'new-chat', label: 'New chat', icon: Plus, command: 'new', href: () => resolve('/') });

export const allSessions = wayTo({ id: 'all-sessions', label: 'All chats', icon: List, href: () => resolve('/(app)/sessions') });

export const openSettings = wayTo({ id: 'settings', label: 'Settings', icon: Settings, href: () => resolve('/(app)/settings') });

export const newWorkspace: Action = { id: 'new-workspace', label: 'New workspace…', icon: FolderPlus, run: () => (asking.what = 'workspace') };

export const search: Action = {
	id: 'search',
	label: 'Search',
	icon: Search,
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

export const changeModel: Action = { id: 'change-model', label: 'Change model', icon: ArrowLeftRight, run: () => (source.choosing = 'all') };
