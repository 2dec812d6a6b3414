import Copy from '@lucide/svelte/icons/copy';
import CornerDownRight from '@lucide/svelte/icons/corner-down-right';
import Cpu from '@lucide/svelte/icons/cpu';
import Eraser from '@lucide/svelte/icons/eraser';
import Eye from '@lucide/svelte/icons/eye';
import Flag from '@lucide/svelte/icons/flag';
import FlagOff from '@lucide/svelte/icons/flag-off';
import GitBranch from '@lucide/svelte/icons/git-branch';
import Link from '@lucide/svelte/icons/link';
import Pencil from '@lucide/svelte/icons/pencil';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import Share from '@lucide/svelte/icons/share-2';
import Tag from '@lucide/svelte/icons/tag';
import Trash from '@lucide/svelte/icons/trash-2';
import Volume from '@lucide/svelte/icons/volume-2';
import VolumeOff from '@lucide/svelte/icons/volume-off';
import type { ModelChoice } from '../../app/choose-model';
import type { Message } from '../../conversation/message';
import { continueAnswer, regenerate } from '../answers';
import { branchFrom, pathUpTo, readUpTo, redactMessage, removeBranch, setMain, stepTo, tipThrough } from '../branches';
import type { Conversation } from '../conversation.svelte';
import { beginEdit } from '../edits';
import { copy, copyLink } from '../export';
import { reportFailure } from '../notices.svelte';
import { canShare, shareText } from '../share';
import { isTemporary } from '../../shared/is-temporary';
import { aloud, voices } from '../voice.svelte';
import { isEnabled, type Action } from './action';

/** A message where it is shown. */
export interface MessageTarget {
	message: Message;
	text: string;
	conversation: Conversation;
	/** Tells whether the conversation can be changed from here now. */
	changeable: boolean;
	/** Has it answered again, where that is not for the model of the chat. */
	again?: (() => Promise<void>) | undefined;
}

/** The view that shows its menu, which can be asked to write over its label. */
export interface MenuTarget extends MessageTarget {
	/** The end of the newest branch through the message, as far as it is known. */
	tip: string | undefined;
	label: () => void;
	/** Asks for a model, and is told which was chosen. */
	chooseModel: (onchoose: (choice: ModelChoice) => Promise<void>) => void;
}

type MessageAction = Action<MessageTarget>;

const isAsked = ({ message }: MessageTarget) => message.role === 'user';
/** Tells whether a message is an answer in words alone. */
const isToldAnswer = ({ message: { role, parts } }: MessageTarget) => role === 'assistant' && parts.every(({ type }) => type === 'text' || type === 'reasoning');
const isLabelled = ({ message, conversation }: MessageTarget) => Boolean(conversation.tree?.labels[message.id]);
const isRedacted = ({ message }: MessageTarget) => message.parts.some(({ type }) => type === 'redacted');
const isMain = ({ tip, conversation }: MenuTarget) => tip !== undefined && conversation.tree?.mainTip === tip;
const isChangeable = ({ changeable }: MessageTarget) => changeable;

const copyMessage: MessageAction = {
	id: 'copy-message',
	label: 'Copy message',
	icon: Copy,
	enabled: (target) => isAsked(target) && target.text !== '',
	run: ({ text }) => copy(text, 'Message copied.')
};

export const copyAnswer: MessageAction = {
	id: 'copy-answer',
	label: 'Copy answer',
	icon: Copy,
	enabled: (target) => !isAsked(target) && target.text !== '',
	run: ({ text }) => copy(text, 'Answer copied.')
};

export const edit: MessageAction = {
	id: 'edit-message',
	label: 'Edit',
	hint: 'Edit: the original is kept',
	icon: Pencil,
	enabled: (target) => target.changeable && (isAsked(target) || isToldAnswer(target)) && target.text !== '',
	run: ({ message }) => beginEdit(message, 'message')
};

export const answerAgain: MessageAction = {
	id: 'regenerate',
	label: 'Regenerate',
	hint: 'Regenerate: this answer is kept',
	icon: RefreshCw,
	enabled: ({ message, changeable }) => changeable && message.role === 'assistant',
	run: (target) => (target.again ? target.again() : answerOnceMore(target))
};

export const answerWith: Action<MenuTarget> = {
	id: 'regenerate-with',
	label: 'Regenerate with…',
	icon: Cpu,
	enabled: ({ message, changeable }) => changeable && message.role === 'assistant',
	run: (target) => target.chooseModel((choice) => reportFailure(() => answerOnceMore(target, choice)))
};

async function answerOnceMore({ message, conversation }: MessageTarget, choice?: ModelChoice): Promise<void> {
	// What is only looked at becomes where the session is, so that the new answer is seen.
	if (conversation.at !== undefined) await stepTo(conversation, message.id);
	await regenerate(conversation.id, message.id, choice);
}

export const goOn: MessageAction = {
	id: 'continue-answer',
	label: 'Continue',
	icon: CornerDownRight,
	enabled: ({ message: { id, role, finishReason }, changeable, conversation }) =>
		changeable &&
		role === 'assistant' &&
		(finishReason === 'stopped' || finishReason === 'length') &&
		conversation.headId === id &&
		conversation.at === undefined &&
		conversation.unfinished?.parentId !== id,
	run: ({ message, conversation }) => continueAnswer(conversation.id, message.id)
};

const shareMessage: MessageAction = {
	id: 'share-message',
	label: 'Share…',
	icon: Share,
	enabled: ({ text }) => canShare() && text !== '',
	run: ({ text }) => shareText(text)
};

const readAloud: MessageAction = {
	id: 'read-aloud',
	label: 'Read aloud',
	icon: Volume,
	enabled: ({ message: { id, role }, text }) => role === 'assistant' && text !== '' && aloud.messageId !== id && voices().length > 0,
	run: ({ message }) => (aloud.messageId = message.id)
};

export const stopReading: MessageAction = {
	id: 'stop-reading',
	label: 'Stop reading',
	icon: VolumeOff,
	enabled: ({ message }) => aloud.messageId === message.id,
	run: () => (aloud.messageId = undefined)
};

export const branchFromHere: MessageAction = {
	id: 'branch-from-message',
	label: 'Branch from here',
	icon: GitBranch,
	// What is sent next goes on from the end as it is.
	enabled: ({ message, changeable, conversation }) => changeable && (conversation.headId !== message.id || conversation.at !== undefined),
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

export const setAsMain: Action<MenuTarget> = {
	id: 'set-main',
	label: 'Set as main branch',
	icon: Flag,
	enabled: (target) => target.changeable && !isMain(target),
	run: ({ message, conversation }) => reportFailure(async () => setMain(conversation.id, await tipThrough(conversation.id, message.id)))
};

export const unsetMain: Action<MenuTarget> = {
	id: 'unset-main',
	label: 'Unset main branch',
	icon: FlagOff,
	enabled: (target) => target.changeable && isMain(target),
	run: ({ conversation }) => setMain(conversation.id, null)
};

const viewUpToHere: MessageAction = {
	id: 'view-message',
	label: 'View up to here',
	icon: Eye,
	enabled: ({ message, conversation }) => !conversation.reachesEnd || conversation.messages.at(-1)?.id !== message.id,
	run: ({ message, conversation }) => readUpTo(conversation.id, message.id)
};

const copyLinkToHere: MessageAction = {
	id: 'copy-message-link',
	label: 'Copy link to here',
	icon: Link,
	enabled: () => !isTemporary(),
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

/** Actions that a question has buttons for, in a row that ends at its edge: what is there only while the chat can be changed comes first, and moves no other. */
const questionButtons: readonly MessageAction[] = [edit, copyMessage];

/** Those of an answer, in a row that begins at its edge; `goOn` has one at its end, which says it in words. */
const answerButtons: readonly MessageAction[] = [copyAnswer, edit, answerAgain];

/** Actions that a message has buttons for, whichever it is. */
export const messageButtons: readonly MessageAction[] = [...new Set([...questionButtons, ...answerButtons])];

/** Those of one message that can be done now. */
export function buttonsOf(target: MessageTarget): MessageAction[] {
	return (isAsked(target) ? questionButtons : answerButtons).filter((action) => isEnabled(action, target));
}

/** Actions of its menu that begin and end that it is read aloud. */
export const aloudActions: readonly MessageAction[] = [readAloud, stopReading];

/** Actions of its menu that need nothing of the view that shows it. */
export const messageMenuAlone: readonly MessageAction[] = [viewUpToHere, copyLinkToHere, eraseText, deleteFromHere];

/** Actions of its menu, in order. */
export const messageMenu: readonly Action<MenuTarget>[] = [...aloudActions, shareMessage, answerWith, branchFromHere, label, changeLabel, setAsMain, unsetMain, ...messageMenuAlone];
