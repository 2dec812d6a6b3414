import Gauge from '@lucide/svelte/icons/gauge';
import ListTree from '@lucide/svelte/icons/list-tree';
import NotebookPen from '@lucide/svelte/icons/notebook-pen';
import Search from '@lucide/svelte/icons/search';
import Shrink from '@lucide/svelte/icons/shrink';
import { compaction } from '../compaction.svelte';
import type { OpenChat } from '../open-chat.svelte';
import { togglePanel, type PanelName } from '../panel.svelte';
import type { Action } from './action';

type ChatAction = Action<OpenChat>;

export const find: ChatAction = { id: 'find', label: 'Find in this chat', icon: Search, keys: ['Mod+F'], run: ({ find }) => find() };

export const compact: Action<Pick<OpenChat, 'conversation' | 'changeable'>> = {
	id: 'compact',
	label: 'Compact…',
	icon: Shrink,
	command: 'compact',
	enabled: ({ changeable }) => changeable,
	run: ({ conversation }) => compaction.open({ sessionId: conversation.id })
};

/** Actions that open and close the panels beside the conversation. */
export const panelActions: Record<PanelName, ChatAction> = {
	tree: { id: 'tree-panel', label: 'Tree', icon: ListTree, run: () => togglePanel('tree') },
	notes: { id: 'notes-panel', label: 'Notes', icon: NotebookPen, run: () => togglePanel('notes') },
	context: { id: 'context-panel', label: 'Context', icon: Gauge, command: 'context', run: () => togglePanel('context') }
};

/** Actions in a chat that is open. */
export const chatActions: readonly ChatAction[] = [find, ...Object.values(panelActions), compact];
