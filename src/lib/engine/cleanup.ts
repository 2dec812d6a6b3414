import type { Session } from '../conversation/session';
import { heldFiles } from '../locks/files';
import { openSessions } from '../locks/session';
import type { Clock } from '../shared/clock';
import type { Database } from '../storage/database';
import { candidates, offeredRule, retentionTables, type Candidate } from '../storage/retention';
import { Settings } from '../storage/settings';
import type { RetentionRule } from '../storage/tables/settings';
import { Trash } from '../storage/trash';
import { cleanupUndoMilliseconds } from '../storage/undo';

const day = 86_400_000;

const anyAge: RetentionRule = { days: 0, maxBytes: null };

/** Outcome of a rule at the start: the sessions that it took, or the number that the offered rule would take. */
export type CleanupAtStart = { removed: string[]; rule: RetentionRule } | { wouldGo: number };

/** Takes sessions out that a rule or a user says have grown too old or too large [A8, E14, R4]: into the trash, for a week. */
export class Cleanup {
	#decided = false;

	/** `spared` gives the sessions of which the database does not have all: of which a text waits to be written, or whose own folder has files, which nothing else has. */
	constructor(private readonly ports: { db: Database; locks: LockManager; clock: Clock; spared: () => Promise<string[]> }) {}

	/**
	 * Lists the sessions that a rule takes, also up to the time `until`; oldest first. Pinned ones are spared, and open ones, which
	 * those that are being answered are too, those in which something is unsent, whether it is in the database or not yet, and those with files of their own.
	 */
	async candidates(rule: RetentionRule, until?: number): Promise<Candidate[]> {
		const { db, clock } = this.ports;
		return candidates(db, rule, clock(), { spared: await this.spared(), ...(until === undefined ? {} : { until }) });
	}

	/** The sessions that were not changed for that many days, oldest first. */
	async preview({ olderThanDays }: { olderThanDays: number }): Promise<Session[]> {
		return (await this.candidates({ days: olderThanDays, maxBytes: null })).map(({ session }) => session);
	}

	/**
	 * Removes these sessions, but those that became pinned or open, have something unsent by now, or changed so that the rule that they were
	 * found by does not take them any more. Resolves with the ids of those that went.
	 */
	async run(ids: string[], rule = anyAge): Promise<string[]> {
		const { db, clock } = this.ports;
		const spared = await this.spared();
		return db.transaction('rw', [...retentionTables(db), db.trash], async () => {
			const due = new Set((await candidates(db, rule, clock(), { spared })).map(({ session }) => session.id));
			return new Trash(db).deleteSessionsUnfenced(ids.filter((id) => due.has(id)), clock(), cleanupUndoMilliseconds);
		});
	}

	private async spared(): Promise<Set<string>> {
		return new Set([...(await openSessions(this.ports.locks)), ...(await this.ports.spared())]);
	}

	/** Removes sessions in the trash for good, before their week is over. */
	async removeNow(ids: string[]): Promise<void> {
		const { db, locks, clock } = this.ports;
		await db.trash.where('id').anyOf(ids).modify({ purgeAt: clock() });
		await new Trash(db).purgeUnfenced(clock(), await heldFiles(locks));
	}

	/** Switches a rule on, or with null off: then nothing goes by itself. It is first applied at the next start. */
	async setRule(rule: RetentionRule | null): Promise<void> {
		this.#decided = true;
		const settings = new Settings(this.ports.db);
		await settings.unset('retentionCheckedAt');
		await (rule ? settings.set('retention', rule) : settings.unset('retention'));
	}

	/**
	 * Does what the rule says, once a day at most. A rule that was set since the start waits for the next one. Where none was decided nothing is removed: then it says how many
	 * sessions the offered rule would take, once a week at most, until the user has seen that rule.
	 */
	async atStart(): Promise<CleanupAtStart | undefined> {
		const { db, clock } = this.ports;
		const settings = new Settings(db);
		const [rule, seen, checkedAt = 0] = await Promise.all([
			settings.get('retention'),
			settings.get('retentionSeen'),
			settings.get('retentionCheckedAt')
		]);
		// This comes once the machine is idle, by which time the user may have been on the Storage page.
		if (this.#decided || (!rule && seen) || clock() - checkedAt < (rule ? day : 7 * day)) return undefined;
		const found = await this.candidates(rule ?? offeredRule);
		if (found.length === 0) return undefined;
		await settings.set('retentionCheckedAt', clock());
		if (!rule) return { wouldGo: found.length };
		const removed = await this.run(found.map(({ session }) => session.id), rule);
		return removed.length > 0 ? { removed, rule } : undefined;
	}
}
