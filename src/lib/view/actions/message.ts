import Copy from '@lucide/svelte/icons/copy';
import Eraser from '@lucide/svelte/icons/eraser';
import Eye from '@lucide/svelte/icons/eye';
import Flag from '@lucide/svelte/icons/flag';
import GitBranch from '@lucide/svelte/icons/git-branch';
import Link from '@lucide/svelte/icons/link';
import Pencil from '@lucide/svelte/icons/pencil';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import Tag from '@lucide/svelte/icons/tag';
import Trash from '@lucide/svelte/icons/trash-2';
import type { Message } from '../../conversation/message';
import { regenerate } from '../answers';
import { branchFrom, pathUpTo, readUpTo, redactMessage, removeBranch, setMain, stepTo, tipThrough } from '../branches';
import type { Conversation } from '../conversation.svelte';
import { copy, copyLink } from '../export';
import type { Action } from './action';

/** A message where it is shown. */
export interface MessageTarget {
	message: Message;
	text: string;
	conversation: Conversation;
	/** Tells whether the conversation can be changed from here now. */
	changeable: boolean;
}

/** The view that shows its buttons, which can be asked to write over its text. */
interface ButtonsTarget extends MessageTarget {
	edit: () => void;
}

/** The view that shows its menu, which can be asked to write over its label. */
export interface MenuTarget extends MessageTarget {
	label: () => void;
}

type MessageAction = Action<MessageTarget>;

const isAsked = ({ message }: MessageTarget) => message.role === 'user';
const isLabelled = ({ message, conversation }: MessageTarget) => Boolean(conversation.tree?.labels[message.id]);
const isRedacted = ({ message }: MessageTarget) => message.parts.some(({ type }) => type === 'redacted');
const isChangeable = ({ changeable }: MessageTarget) => changeable;

const copyMessage: MessageAction = {
	id: 'copy-message',
	label: 'Copy message',
	icon: Copy,
	enabled: (target) => isAsked(target) && target.text !== '',
	run: ({ text }) => copy(text, 'Message copied.')
};

const copyAnswer: MessageAction = {
	id: 'copy-answer',
	label: 'Copy answer',
	icon: Copy,
	enabled: (target) => !isAsked(target) && target.text !== '',
	run: ({ text }) => copy(text, 'Answer copied.')
};

export const edit: Action<ButtonsTarget> = {
	id: 'edit-message',
	label: 'Edit',
	hint: 'Edit: the original is kept',
	icon: Pencil,
	enabled: (target) => target.changeable && isAsked(target) && target.text !== '',
	run: ({ edit }) => edit()
};

export const answerAgain: MessageAction = {
	id: 'regenerate',
	label: 'Regenerate',
	hint: 'Answer again: this answer is kept',
	icon: RefreshCw,
	enabled: ({ message, changeable }) => changeable && message.role === 'assistant',
	async run({ message, conversation }) {
		// What is only looked at becomes where the session is, so that the new answer is seen.
		if (conversation.at !== undefined) await stepTo(conversation, message.id);
		await regenerate(conversation.id, message.id);
	}
};

export const branchFromHere: MessageAction = {
	id: 'branch-from-message',
	label: 'Branch from here',
	icon: GitBranch,
	enabled: isChangeable,
	run: ({ message, conversation }) => branchFrom(conversation, message.id)
};

export const label: Action<MenuTarget> = {
	id: 'label-message',
	label: 'Label',
	icon: Tag,
	enabled: (target) => target.changeable && !isLabelled(target),
	run: ({ label }) => label()
};

export const changeLabel: Action<MenuTarget> = {
	...label,
	id: 'change-label',
	label: 'Change label',
	enabled: (target) => target.changeable && isLabelled(target)
};

export const setAsMain: MessageAction = {
	id: 'set-main',
	label: 'Set as main branch',
	icon: Flag,
	enabled: isChangeable,
	async run({ message, conversation }) {
		const tip = await tipThrough(conversation.id, message.id);
		await setMain(conversation.id, conversation.tree?.mainTip === tip ? null : tip);
	}
};

const viewFromHere: MessageAction = {
	id: 'view-message',
	label: 'View from here',
	icon: Eye,
	run: ({ message, conversation }) => readUpTo(conversation.id, message.id)
};

const copyLinkToHere: MessageAction = {
	id: 'copy-message-link',
	label: 'Copy link to here',
	icon: Link,
	run: ({ message, conversation }) => copyLink(pathUpTo(conversation.id, message.id))
};

const eraseText: MessageAction = {
	id: 'erase-message',
	label: 'Erase text',
	icon: Eraser,
	danger: true,
	enabled: (target) => target.changeable && !isRedacted(target),
	run: ({ message, conversation }) => redactMessage(conversation.id, message.id)
};

const deleteFromHere: MessageAction = {
	id: 'delete-messages',
	label: 'Delete from here on',
	icon: Trash,
	danger: true,
	enabled: isChangeable,
	run: ({ message, conversation }) => removeBranch(conversation.id, message.id)
};

/** Actions that a message has buttons for. */
export const messageButtons: readonly Action<ButtonsTarget>[] = [copyMessage, copyAnswer, edit, answerAgain];

/** Actions of its menu, in order. */
export const messageMenu: readonly Action<MenuTarget>[] = [
	branchFromHere,
	label,
	changeLabel,
	setAsMain,
	viewFromHere,
	copyLinkToHere,
	eraseText,
	deleteFromHere
];
