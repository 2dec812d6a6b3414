import { app } from '../app';
import { homeWorkspace } from '../conversation/session';
import { AppError } from '../shared/app-error';
import type { MovedSession } from '../storage/arrange-sessions';
import { inBackground } from '../storage/storage-failure';
import type { DueItem } from '../storage/trash';
import { undoMilliseconds } from '../storage/undo';
import { beginning } from './beginning';
import { newChat } from './composer.svelte';
import { holdWhileOffered } from './hold-files';
import { offerBack, reportFailure, tryOrReport } from './notices.svelte';
import { purge } from './purge';
import { searchWords } from './search-words';
import { chooseSecondModel, secondModelOf } from './second-model';
import { forgetInTab } from './tab-text';
import { stop } from './turns.svelte';

/** The most sessions that are changed at a time, so that the page does not stall. */
const batchSize = 250;

/**
 * Deletes sessions, with what the tab keeps of them, and offers them back, all at once, for as long as they can be had [A14].
 * `onRestored` is called when they are back.
 */
export async function deleteSessions(ids: string[], onRestored?: () => void | Promise<void>): Promise<void> {
	for (const id of ids) stop(id);
	const conversations = await app.openConversations();
	const keepFor = keepingFor(ids);
	const taken: string[] = [];
	try {
		for (const some of batches(ids)) taken.push(...(await conversations.deleteSessions(some, keepFor)));
	} finally {
		// Also where the store refuses the rest.
		if (taken.length > 0) offerSessionsBack(conversations, taken, keepFor, onRestored);
	}
}

/** For how many milliseconds sessions can be had back. Thousands take a while, in which the first of them must not be over already. */
const keepingFor = (ids: string[]) => undoMilliseconds + ids.length;

function offerSessionsBack(
	conversations: Awaited<ReturnType<typeof app.openConversations>>,
	taken: string[],
	keepFor: number,
	onRestored: (() => void | Promise<void>) | undefined
): void {
	const remember = forgetInTab(taken);
	let left = taken;
	const purgeLater = () => setTimeout(() => void inBackground(purge), keepFor);
	let removal = purgeLater();
	offerBack(taken.length === 1 ? 'Chat deleted.' : `${taken.length.toLocaleString()} chats deleted.`, async () => {
		// What is due must not go while the rest is still being brought back.
		clearTimeout(removal);
		let late: AppError | undefined;
		try {
			for (const some of batches(left)) {
				await conversations.trash.restore(some).catch((error: unknown) => {
					if (!(error instanceof AppError && error.code === 'restore-late')) throw error;
					late = error;
				});
				left = left.slice(some.length);
			}
		} catch (error) {
			removal = purgeLater();
			throw error;
		}
		remember();
		await onRestored?.();
		await purge();
		if (late) throw late;
	});
}

function batches<T>(all: T[]): T[][] {
	return Array.from({ length: Math.ceil(all.length / batchSize) }, (_, index) => all.slice(index * batchSize, (index + 1) * batchSize));
}

/**
 * Deletes every session there is, whatever is shown of them, those that a rule or /cleanup took before, the copies from before updates, what is
 * written and chosen in a new chat, and the words of searches. Offers back all but these copies and words, and what was shared and not taken, for a while [A14].
 */
export function deleteEverything(): Promise<void> {
	return reportFailure(async () => {
		const rows = await Promise.all([false, true].map((archived) => app.sessions.list({ archived })));
		const ids = rows.flat().map(({ id }) => id);
		const [{ trash }, { snapshots }] = await Promise.all([app.openConversations(), app.openMeasures()]);
		let removed: Promise<DueItem[]> | undefined;
		let isUndone = false;
		if (ids.length > 0) holdWhileOffered(newChat.attachments);
		const [putTextBack, choices] = [newChat.takeOut(), beginning.take()];
		const second = secondModelOf(undefined);
		chooseSecondModel(undefined, undefined);
		const putBack = () => {
			chooseSecondModel(undefined, second);
			putTextBack();
			beginning.putBack(choices);
		};
		// No later than the chats that are deleted now: what purges those takes it too.
		const purgeAt = app.clock() + (ids.length > 0 ? keepingFor(ids) : 0);
		try {
			await deleteSessions(ids, async () => {
				isUndone = true;
				putBack();
				// Where that was refused, nothing is to be postponed.
				await trash.postpone((await removed?.catch(() => [])) ?? []);
			});
		} catch (error) {
			putBack();
			throw error;
		}
		if (isUndone) return;
		await (removed = trash.hasten(purgeAt));
		if (ids.length === 0) await purge();
		searchWords.clear();
		await caches.delete('shared');
		for (const { name } of await snapshots.list()) await snapshots.remove(name);
	});
}

/** Names a session; an empty name returns it to its automatic one [S2]. Where the store refuses, that is said, and the result is false. */
export function renameSession(id: string, name: string): Promise<boolean> {
	return tryOrReport(async () => (await app.openConversations()).renameSession(id, name));
}

/** Keeps sessions at the top of the list and out of every clean-up, or no longer [A8]. */
export async function pinSessions(ids: string[], pinned: boolean): Promise<void> {
	const conversations = await app.openConversations();
	for (const some of batches(ids)) await conversations.pinSessions(some, pinned);
}

/** Takes sessions out of the lists, and offers to put them back as they were; also those of many before the store refuses the next. */
export async function archiveSessions(ids: string[]): Promise<void> {
	const conversations = await app.openConversations();
	const archived: string[] = [];
	try {
		for (const some of batches(ids)) archived.push(...(await conversations.archiveSessions(some, true)));
	} finally {
		const text = archived.length === 1 ? 'Chat archived. Find it under All chats, Archived.' : `${archived.length.toLocaleString()} chats archived. Find them under All chats, Archived.`;
		if (archived.length > 0) offerBack(text, () => unarchiveSessions(archived));
	}
}

/** Puts archived sessions back into the lists. */
export async function unarchiveSessions(ids: string[]): Promise<void> {
	const conversations = await app.openConversations();
	for (const some of batches(ids)) await conversations.archiveSessions(some, false);
}

/** Moves sessions to a workspace, and offers to move them back; also those of many before the store refuses the next. */
export async function moveSessions(ids: string[], workspace: string): Promise<void> {
	const conversations = await app.openConversations();
	const moved: MovedSession[] = [];
	try {
		for (const some of batches(ids)) moved.push(...(await conversations.moveSessions(some, workspace)));
	} finally {
		const what = moved.length === 1 ? 'Chat' : `${moved.length.toLocaleString()} chats`;
		const text = workspace === homeWorkspace ? `${what} moved out of the workspace.` : `${what} moved to “${workspace}”.`;
		if (moved.length > 0)
			offerBack(text, async () => {
				for (const some of batches(moved)) await conversations.moveSessionsBack(some);
			});
	}
}
