import { app } from '../app';
import type { Candidate } from '../storage/retention';
import type { RetentionRule } from '../storage/tables/settings';
import { undoMilliseconds } from '../storage/undo';
import { notify } from './notices.svelte';
import { refreshStorage } from './storage.svelte';
import { bringBack } from './maintenance';

/** Lists what a rule takes now and within the next thirty days [A8]. The user has seen the rule then. */
export async function previewRule(rule: RetentionRule): Promise<Candidate[]> {
	const found = await (await app.openCleanup()).candidates(rule, app.clock() + 30 * 86_400_000);
	if (!(await app.settings.get('retentionSeen'))) await app.settings.set('retentionSeen', true);
	return found;
}

/** Switches a rule on, or with null off. */
export async function setRule(rule: RetentionRule | null): Promise<void> {
	await (await app.openCleanup()).setRule(rule);
}

/** Removes sessions that a rule takes, at once; they can be brought back for a week. */
export async function removeNow(ids: string[], rule: RetentionRule): Promise<void> {
	const taken = await (await app.openCleanup()).run(ids, rule);
	notify({
		text: taken.length === 1 ? 'Chat removed.' : `${taken.length.toLocaleString()} chats removed.`,
		action: { label: 'Undo', run: () => bringBack(taken) },
		milliseconds: undoMilliseconds
	});
}

/** Removes them for good. */
export async function forget(ids: string[]): Promise<void> {
	await (await app.openCleanup()).removeNow(ids);
	await refreshStorage();
}
