import { goto } from '$app/navigation';
import type { resolve } from '$app/paths';
import { conversations } from '../app/conversations';
import type { Message } from '../conversation/message';
import type { Outgoing } from '../engine/turns/outgoing-messages';
import { inBackground } from '../storage/storage-failure';
import { undoMilliseconds } from '../storage/undo';
import type { Conversation } from './conversation.svelte';
import { focusComposer } from './focus-composer';
import { hasOwnKeyboard } from './has-keyboard';
import { notify, offerBack, reportFailure, tryOrReport } from './notices.svelte';
import { purge } from './purge';
import { textOfSession } from './session-text.svelte';
import { chatPath } from './temporary';
import { settle, turnOf, type RunningTurn } from './turns.svelte';

/** A conversation, and the message up to which it is looked at, if it is. */
type Shown = Pick<Conversation, 'id' | 'at'>;

/** Shows where the session is, also where an earlier state of it was looked at. */
export async function showHead({ id, at }: Shown): Promise<void> {
	if (at !== undefined) await goto(chatPath(id), { noScroll: true, keepFocus: true });
}

/** Goes to another version of a message, and on down its newest branch [Z9]. */
export function stepTo(shown: Shown, messageId: string): Promise<void> {
	return reportFailure(async () => {
		await conversations.stepTo(shown.id, messageId);
		await showHead(shown);
	});
}

/** Takes the second answer from beside a first one that the session goes on from, or that is looked at alone; what waits below the first is drawn as ever then. */
export function leaveSecond(sessionId: string, turn: RunningTurn): void {
	turn.beside = undefined;
	if (turn.phase === 'done' && !turn.stored) settle(sessionId);
}

/** Adds what the user has made of an answer as another version of it, after which no failure is told any more; resolves with its id. Throws an AppError where it can't be stored. */
export async function saveAnswer({ id, sessionId }: Message, outgoing: Outgoing): Promise<string> {
	const saved = await conversations.editAnswer(sessionId, id, outgoing);
	if (!turnOf(sessionId)?.busy) settle(sessionId);
	return saved;
}

/** The end of the newest branch through a message. */
export function tipThrough(sessionId: string, messageId: string): Promise<string> {
	return conversations.trees.tipThrough(sessionId, messageId);
}

/** The address that shows a session up to a message [Z9]. */
export function pathUpTo(sessionId: string, messageId: string): ReturnType<typeof resolve> {
	return `${chatPath(sessionId)}?at=${messageId}` as ReturnType<typeof resolve>;
}

/** Shows a session up to a message; what is sent from there begins a branch [Z9]. */
export function readUpTo(sessionId: string, messageId: string): Promise<void> {
	return goto(pathUpTo(sessionId, messageId), { noScroll: true, keepFocus: true });
}

/** Shows a message in the conversation: where it stands if it is drawn there, or else at the end of what is read. */
export async function goToMessage(conversation: Pick<Conversation, 'id' | 'goToDrawn'>, messageId: string): Promise<void> {
	if (!conversation.goToDrawn(messageId)) await readUpTo(conversation.id, messageId);
}

/** Shows the newest branch through a message, without going there: where the tree can't be changed. */
export async function lookAt(sessionId: string, messageId: string): Promise<void> {
	await readUpTo(sessionId, await tipThrough(sessionId, messageId));
}

/** Makes what is sent next follow this message, in a branch of its own, and leads to where it is written. */
export function branchFrom(shown: Shown, messageId: string): Promise<void> {
	return reportFailure(async () => {
		await conversations.moveHead(shown.id, messageId);
		await showHead(shown);
		if (hasOwnKeyboard()) focusComposer();
	});
}

/** Labels a message; nothing takes the label away. Where the store refuses, that is said, and the result is false. */
export function labelMessage(sessionId: string, messageId: string, label: string): Promise<boolean> {
	return tryOrReport(() => conversations.label(sessionId, messageId, label.trim()));
}

/** Marks the branch that ends in `tipId` as the main branch, and says so; null marks none. */
export function setMain(sessionId: string, tipId: string | null): Promise<void> {
	return reportFailure(async () => {
		await conversations.setMain(sessionId, tipId);
		notify({ text: tipId === null ? 'No main branch now.' : 'This is the main branch now.', milliseconds: 5000 });
	});
}

/** Takes out what a message says, and offers it back for a while. */
export function redactMessage(sessionId: string, messageId: string): Promise<void> {
	return reportFailure(async () => {
		const item = await conversations.redact(sessionId, messageId);
		offerFromTrash('Text erased.', sessionId, [item], textOfSession(sessionId).takeOutEdit(messageId));
	});
}

/** Deletes a message and all that follows it, and offers it back for a while. */
export function removeBranch(sessionId: string, messageId: string): Promise<void> {
	return reportFailure(async () => {
		const item = await conversations.removeBranch(sessionId, messageId);
		textOfSession(sessionId).withdrawEdits();
		offerFromTrash('Messages deleted.', sessionId, [item]);
	});
}

/** Says what was done in a session, and offers back from the trash what that took. */
export function offerFromTrash(text: string, sessionId: string, trashIds: string[], putEditBack = () => {}): void {
	const remove = () =>
		void inBackground(async () => {
			await purge();
			await textOfSession(sessionId).refresh();
		});
	let removal = setTimeout(remove, undoMilliseconds);
	offerBack(text, async () => {
		clearTimeout(removal);
		await conversations.trash.restore(trashIds).finally(() => (removal = setTimeout(remove, undoMilliseconds)));
		// With it, an edit that was not sent.
		await textOfSession(sessionId).refresh();
		putEditBack();
	});
}
