import type { RetentionRule } from '../storage/tables/settings';
import { clock, db } from './environment';

/** Opens the rules by which what grows too old or too large goes into the trash for a week [A8]. */
async function open() {
	const { Cleanup } = await import('../engine/cleanup');
	return new Cleanup({ db, locks: navigator.locks, clock });
}

/** As in `Cleanup`, which is loaded when it is needed. */
export const cleanup = {
	preview: async (rule: { olderThanDays: number }) => (await open()).preview(rule),
	candidates: async (rule: RetentionRule, until?: number) => (await open()).candidates(rule, until),
	run: async (ids: string[]) => (await open()).run(ids),
	removeNow: async (ids: string[]) => (await open()).removeNow(ids),
	atStart: async () => (await open()).atStart()
};
