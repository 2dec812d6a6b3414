import { resolve } from '$app/paths';
import List from '@lucide/svelte/icons/list';
import Search from '@lucide/svelte/icons/search';
import { wayTo, type Action } from './action';
import { openSearch } from './app';

// What the list at the side shows above itself.

export const allSessions = wayTo({ id: 'all-sessions', label: 'All chats', icon: List, href: () => resolve('/(app)/sessions') });

export const search: Action = { ...openSearch, icon: Search };
