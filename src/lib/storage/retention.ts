import { Dexie } from 'dexie';
import type { Session } from '../conversation/session';
import type { Database } from './database';
import { isPlaced } from './lead-on';
import type { RetentionRule } from './tables/settings';

const day = 86_400_000;

/** The rule that is offered where nothing was decided [A8]. It does nothing until the user switches it on. */
export const offeredRule: RetentionRule = { days: 90, maxBytes: null };

/** A session that a rule takes, why, and when: `goesAt` is not later than now if it is due. Epoch milliseconds. */
export interface Candidate {
	session: Session;
	because: 'age' | 'size';
	goesAt: number;
}

/** A session as a rule sees it: its size and age. */
export type Aged = Pick<Session, 'id' | 'bytes' | 'updatedAt'>;

/**
 * Returns those of `sessions` that a rule takes, in their order, which is oldest first. Those that will be too old at `until` go by
 * age; of the others the oldest go by size, now, until what stays fits: `total` is the size of everything, what is exempt
 * and not among `sessions` included.
 */
export function chooseByRule<S extends Aged>(
	sessions: S[],
	rule: RetentionRule,
	total: number,
	now: number,
	until = now
): { session: S; because: 'age' | 'size'; goesAt: number }[] {
	const { days, maxBytes } = rule;
	let left = total;
	const due = (session: S) => (days === null ? Infinity : session.updatedAt + days * day);
	for (const session of sessions) if (due(session) <= now) left -= session.bytes;
	return sessions.flatMap((session): { session: S; because: 'age' | 'size'; goesAt: number }[] => {
		const goesAt = due(session);
		if (goesAt <= now) return [{ session, because: 'age', goesAt }];
		if (maxBytes !== null && left > maxBytes) {
			left -= session.bytes;
			return [{ session, because: 'size', goesAt: now }];
		}
		return days !== null && goesAt <= until ? [{ session, because: 'age', goesAt }] : [];
	});
}

/** Number of rows that are read at a time, so that the page does not stall. */
const chunk = 500;

/** The tables that say which sessions a rule takes. */
export const retentionTables = (db: Database) => [db.sessions, db.drafts, db.answers, db.secondAnswers, db.checkpoints, db.sessionSettings, db.scratchpad];

/**
 * Returns the ids of sessions in which something is unsent, the next system prompt too, an answer unfinished, or a call that was decided or had begun
 * without its result: nothing takes these by itself, however old their messages are.
 */
async function sessionsWithUnsent({ drafts, answers, secondAnswers, checkpoints, sessionSettings }: Database): Promise<Set<string>> {
	const ids = await Promise.all([
		drafts.toCollection().primaryKeys(),
		answers.toCollection().primaryKeys(),
		secondAnswers.filter((row) => !isPlaced(row)).primaryKeys(),
		checkpoints.toCollection().primaryKeys(),
		sessionSettings.filter(({ systemPrompt }) => systemPrompt !== undefined).primaryKeys()
	]);
	return new Set(ids.flat());
}

/** Returns `sessions` by the time of their last change, notes included, oldest first. */
async function byLastChange({ scratchpad }: Database, sessions: Aged[]): Promise<Aged[]> {
	const keys = (await scratchpad.toCollection().primaryKeys()) as unknown as [sessionId: string, name: string][];
	const noted = new Set(keys.map(([sessionId]) => sessionId));
	const aged = sessions.map(async (session) => {
		if (!noted.has(session.id)) return session;
		const notes = await scratchpad.where(':id').between([session.id, Dexie.minKey], [session.id, Dexie.maxKey]).toArray();
		return { ...session, updatedAt: Math.max(session.updatedAt, ...notes.map(({ updatedAt }) => updatedAt)) };
	});
	return (await Promise.all(aged)).sort((a, b) => a.updatedAt - b.updatedAt);
}

/**
 * Returns the sessions that a rule takes now, and those that age will take up to `until`; oldest first. Pinned sessions are exempt, and so are those
 * with something unsent, those that wait for the user to decide about a call, and the `spared` ones.
 */
export function candidates(
	db: Database,
	rule: RetentionRule,
	now: number,
	{ spared = new Set(), until = now }: { spared?: ReadonlySet<string>; until?: number } = {}
): Promise<Candidate[]> {
	const { days, maxBytes } = rule;
	return db.transaction('r', retentionTables(db), async () => {
		const unsent = await sessionsWithUnsent(db);
		// The rule needs to know every session's size only where there is a limit to the sum of them.
		const total = maxBytes === null ? 0 : await sumOfBytes(db);
		const oldest = maxBytes === null ? (days === null ? Dexie.minKey : until - days * day) : Dexie.maxKey;
		const found: Aged[] = [];
		const range = db.sessions.where('[pinned+updatedAt]').between([0, Dexie.minKey], [0, oldest], true, true);
		for (let offset = 0; ; offset += chunk) {
			const rows = await range.clone().offset(offset).limit(chunk).toArray();
			// Fewer rows than were asked for do not mean the end: broken ones are passed over.
			if (rows.length === 0) break;
			for (const { id, bytes, updatedAt, status } of rows) if (!spared.has(id) && !unsent.has(id) && status !== 'waiting') found.push({ id, bytes, updatedAt });
		}
		const chosen = chooseByRule(await byLastChange(db, found), rule, total, now, until);
		const taken: Candidate[] = [];
		for (let offset = 0; offset < chosen.length; offset += chunk) {
			const some = chosen.slice(offset, offset + chunk);
			const rows = await db.sessions.bulkGet(some.map(({ session }) => session.id));
			for (const [index, choice] of some.entries()) if (rows[index]) taken.push({ ...choice, session: rows[index] });
		}
		return taken;
	});
}

async function sumOfBytes(db: Database): Promise<number> {
	let sum = 0;
	for (let after = ''; ; ) {
		const rows = await db.sessions.where('id').above(after).limit(chunk).toArray();
		if (rows.length === 0) return sum;
		for (const { bytes } of rows) sum += bytes;
		after = rows.at(-1)!.id;
	}
}
