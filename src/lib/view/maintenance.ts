import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import { page } from '$app/state';
import { app } from '../app';
import { formatBytes } from '../shared/bytes';
import type { RetentionRule } from '../storage/tables/settings';
import { notify, reportFailure } from './notices.svelte';
// Here it is once everything else is there.
import './theme-colour';

const storagePage = '/(app)/settings/storage';

/**
 * Maintains the storage when the app opens, once everything else is there, with one notice at most: it applies the
 * rule that the user switched on [A8], or says that there is one to look at, or reminds of a backup [P2].
 */
export async function lookAfterStorage(): Promise<void> {
	const cleanup = await (await app.openCleanup()).atStart();
	if (cleanup && 'removed' in cleanup) {
		const { removed, rule } = cleanup;
		notify({ text: wentBy(rule, removed.length), action: { label: 'Undo', run: () => bringBack(removed) }, milliseconds: 30_000 });
	} else if (page.route.id === storagePage) {
		// It says the same itself.
		return;
	} else if (cleanup) {
		const { wouldGo } = cleanup;
		const text = wouldGo === 1 ? 'One chat is older than 90 days. It stays' : `${wouldGo.toLocaleString()} chats are older than 90 days. They stay`;
		notify({ text: `${text}, unless you decide otherwise.`, action: { label: 'Look', run: showStorage } });
	} else if (await (await app.openBackup()).isDue()) {
		await app.settings.set('backupRemindedAt', app.clock());
		notify({
			text: 'This browser may delete your chats when the disk is full.',
			action: { label: 'Back up', run: showStorage }
		});
	}
}

/** Says that what was stored is gone by no act of the user's. */
export function sayEmptied(): void {
	notify({
		text: 'The browser has emptied Snug’s database, as it does when it finds it damaged. If you have a backup, you can restore it.',
		action: { label: 'Restore a backup', run: showStorage }
	});
}

/** Takes sessions out of the trash, and says so if that is too late. */
export function bringBack(ids: string[]): Promise<void> {
	return reportFailure(async () => (await app.openConversations()).trash.restore(ids));
}

function wentBy({ days, maxBytes }: RetentionRule, count: number): string {
	const chats = count === 1 ? 'One chat' : `${count.toLocaleString()} chats`;
	const why = [
		...(days === null ? [] : [`older than ${days === 1 ? 'one day' : `${days.toLocaleString()} days`}`]),
		...(maxBytes === null ? [] : [`above ${formatBytes(maxBytes)} in all`])
	];
	return `${chats} ${why.join(' or ')} ${count === 1 ? 'was' : 'were'} removed. The Storage page keeps ${count === 1 ? 'it' : 'them'} for a week.`;
}

function showStorage(): Promise<void> {
	return goto(resolve(storagePage));
}
