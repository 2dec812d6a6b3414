import { dateGroup } from '../conversation/date-group';
import type { Database } from './database';
import { listed, type SessionFilter } from './sessions';

/** Sessions that follow each other in a list, under one heading. */
export interface SessionGroup {
	name: string;
	count: number;
}

/** The most groups of a list; files may bring any dates. What is older than these is one group more. */
const maxGroups = 60;

/** Counts the sessions under each heading of a list: those that are pinned, then by date. Reads keys of an index only, two looks for each heading. */
export function sessionGroups(db: Database, filter: SessionFilter, now: number): Promise<SessionGroup[]> {
	return db.transaction('r', db.sessions, async () => {
		const groups = [{ name: 'Pinned', count: await listed(db, filter, [1]).count() }];
		let before = Infinity;
		for (;;) {
			const keys = await listed(db, filter, [0], [0, before]).reverse().limit(1).keys();
			const newest = (keys[0] as unknown as unknown[] | undefined)?.at(-1);
			if (typeof newest !== 'number') break;
			const { name, from } = groups.length < maxGroups ? dateGroup(newest, now) : { name: 'Older', from: -Infinity };
			groups.push({ name, count: await listed(db, filter, [0, from], [0, before]).count() });
			before = from;
		}
		return groups.filter(({ count }) => count > 0);
	});
}
