import Copy from '@lucide/svelte/icons/copy';
import Gauge from '@lucide/svelte/icons/gauge';
import ListTree from '@lucide/svelte/icons/list-tree';
import NotebookPen from '@lucide/svelte/icons/notebook-pen';
import Pencil from '@lucide/svelte/icons/pencil';
import Search from '@lucide/svelte/icons/search';
import Shrink from '@lucide/svelte/icons/shrink';
import Square from '@lucide/svelte/icons/square';
import { textOf, type Message } from '../../conversation/message';
import { compaction } from '../compaction.svelte';
import { beginEdit } from '../edits';
import { reportFailure } from '../notices.svelte';
import type { OpenChat } from '../open-chat.svelte';
import { togglePanel, type PanelName } from '../panel.svelte';
import { stop, turnOf } from '../turns.svelte';
import { isEnabled, type Action } from './action';
import { folder } from './folder';
import { copyAnswer, edit, type MessageTarget } from './message';

type ChatAction = Action<OpenChat>;

export const find: ChatAction = { id: 'find', label: 'Find in this chat', icon: Search, keys: ['Mod+F'], run: ({ find }) => find() };

export const editLast: ChatAction = {
	id: 'edit-last-question',
	label: 'Edit last message',
	icon: Pencil,
	keys: ['ArrowUp'],
	enabled: (chat) => lastQuestion(chat) !== undefined,
	run: (chat) =>
		reportFailure(() => {
			const { message } = lastQuestion(chat)!;
			beginEdit(message, 'composer');
			if (!isInSight(message.id)) chat.conversation.goToDrawn(message.id);
			return Promise.resolve();
		})
};

/** Stops the answer that this tab writes. */
export const stopAnswer: ChatAction = {
	id: 'stop-answer',
	label: 'Stop the answer',
	also: 'cancel halt interrupt',
	icon: Square,
	keys: ['Escape'],
	enabled: ({ conversation }) => turnOf(conversation.id)?.busy ?? false,
	run: ({ conversation }) => stop(conversation.id)
};

export const copyLast: ChatAction = {
	id: 'copy-last-answer',
	label: 'Copy last answer',
	icon: Copy,
	keys: ['Mod+Shift+C'],
	enabled: (chat) => lastAnswer(chat) !== undefined,
	run: (chat) => copyAnswer.run(lastAnswer(chat)!)
};

/** Returns the last question of the path, if it can be edited now. */
function lastQuestion(chat: OpenChat): MessageTarget | undefined {
	return lastOf(chat, 'user', edit);
}

/** Returns the last answer of the path, if it has words to be copied. */
function lastAnswer(chat: OpenChat): MessageTarget | undefined {
	return lastOf(chat, 'assistant', copyAnswer);
}

function lastOf({ conversation, changeable }: OpenChat, role: Message['role'], action: Action<MessageTarget>): MessageTarget | undefined {
	const message = conversation.reachesEnd ? conversation.messages.findLast((one) => one.role === role) : undefined;
	const target = message && { message, text: textOf(message), conversation, changeable };
	return target && isEnabled(action, target) ? target : undefined;
}

/** Tells whether a message is on the screen from its first line to its last. */
function isInSight(messageId: string): boolean {
	const { top, bottom } = document.querySelector(`article[data-id="${CSS.escape(messageId)}"]`)?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
	return top >= 0 && bottom <= innerHeight;
}

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

/** Actions in the menu of a chat that is open. */
export const chatMenu: readonly ChatAction[] = [find, ...Object.values(panelActions), folder];

/** Actions of an open chat, with those that have a button elsewhere. */
export const chatActions: readonly ChatAction[] = [stopAnswer, copyLast, editLast, ...chatMenu, compact];
