import { app } from '../app';
import { homeWorkspace } from '../conversation/session';
import { AppError } from '../shared/app-error';
import type { WorkspacePlace } from '../storage/move-session';
import { inBackground } from '../storage/storage-failure';
import { undoMilliseconds } from '../storage/undo';
import { newChat } from './composer.svelte';
import { offerBack, reportFailure, tryOrReport } from './notices.svelte';
import { purge } from './purge';
import { searchWords } from './search-words';
import { forgetInTab } from './tab-text';
import { stop } from './turns.svelte';

/** The most sessions that are deleted or brought back at a time, so that the page does not stall. */
const batchSize = 250;

/**
 * Deletes sessions, with what the tab keeps of them, and offers them back, all at once, for as long as they can be had [A14].
 * `onRestored` is called when they are back.
 */
export async function deleteSessions(ids: string[], onRestored?: () => void): Promise<void> {
	for (const id of ids) stop(id);
	const conversations = await app.openConversations();
	// Thousands take a while, in which the first of them must not be over already.
	const keepFor = undoMilliseconds + ids.length;
	const taken: string[] = [];
	try {
		for (const some of batches(ids)) taken.push(...(await conversations.deleteSessions(some, keepFor)));
	} finally {
		// Also where the store refuses the rest.
		if (taken.length > 0) offerSessionsBack(conversations, taken, keepFor, onRestored);
	}
}

function offerSessionsBack(
	conversations: Awaited<ReturnType<typeof app.openConversations>>,
	taken: string[],
	keepFor: number,
	onRestored: (() => void) | undefined
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
		onRestored?.();
		await purge();
		if (late) throw late;
	});
}

function batches(ids: string[]): string[][] {
	return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) => ids.slice(index * batchSize, (index + 1) * batchSize));
}

/**
 * Deletes every session there is, whatever is shown of them, what is written in a new chat, and the words of searches. Offers
 * back all but these words, and what was shared and not taken, for a while [A14].
 */
export function deleteEverything(): Promise<void> {
	return reportFailure(async () => {
		const rows = await Promise.all([false, true].map((archived) => app.sessions.list({ archived })));
		const ids = rows.flat().map(({ id }) => id);
		const putBack = newChat.takeOut();
		try {
			await deleteSessions(ids, putBack);
		} catch (error) {
			putBack();
			throw error;
		}
		searchWords.clear();
		await caches.delete('shared');
	});
}

/** Names a session; an empty name returns it to its automatic one [S2]. Where the store refuses, that is said, and the result is false. */
export function renameSession(id: string, name: string): Promise<boolean> {
	return tryOrReport(async () => (await app.openConversations()).renameSession(id, name));
}

/** Keeps sessions at the top of the list and out of every clean-up, or no longer [A8]. */
export async function pinSessions(ids: string[], pinned: boolean): Promise<void> {
	const { pinSession } = await app.openConversations();
	for (const id of ids) await pinSession(id, pinned);
}

/** Takes sessions out of the lists, and offers to put them back as they were. */
export async function archiveSessions(ids: string[]): Promise<void> {
	const { archiveSession } = await app.openConversations();
	const rows = await Promise.all(ids.map((id) => app.sessions.get(id)));
	const archived = rows.flatMap((row) => (row && !row.archived ? [row.id] : []));
	for (const id of archived) await archiveSession(id, true);
	const text = archived.length === 1 ? 'Chat archived. Find it under All chats.' : `${archived.length.toLocaleString()} chats archived. Find them under All chats.`;
	offerBack(text, () => unarchiveSessions(archived));
}

/** Puts archived sessions back into the lists. */
export async function unarchiveSessions(ids: string[]): Promise<void> {
	const { archiveSession } = await app.openConversations();
	for (const id of ids) await archiveSession(id, false);
}

/** Moves sessions to a workspace, and offers to move them back. */
export async function moveSessions(ids: string[], workspace: string): Promise<void> {
	const { moveSession } = await app.openConversations();
	const moved: (readonly [id: string, from: WorkspacePlace])[] = [];
	for (const id of ids) {
		const from = await moveSession(id, workspace);
		if (from) moved.push([id, from]);
	}
	if (moved.length === 0) return;
	const what = moved.length === 1 ? 'Chat' : `${moved.length.toLocaleString()} chats`;
	offerBack(workspace === homeWorkspace ? `${what} moved out of the workspace.` : `${what} moved to “${workspace}”.`, async () => {
		for (const [id, from] of moved) await moveSession(id, from);
	});
}
