import { addUsage, type Usage } from '../conversation/message';
import type { Database } from './database';
import { chunk, inChunks } from './usage';

/** Usage of all sessions together; those in the trash aside. A step is an answer of a model. */
export interface UsageTotals {
	sessions: number;
	steps: number;
	usage: Usage;
	compactions: number;
}

/** Adds up what the session rows say, some rows at a time. */
export async function totalUsage(db: Database): Promise<UsageTotals> {
	const totals: UsageTotals = { sessions: 0, steps: 0, usage: {}, compactions: 0 };
	const ids = new Set<string>();
	for await (const { id, steps, usage } of inChunks((after) => db.sessions.where('id').above(after).limit(chunk).toArray())) {
		ids.add(id);
		totals.sessions++;
		totals.steps += steps;
		totals.usage = addUsage(totals.usage, usage);
	}
	const ends = (await db.boundaries.orderBy('[sessionId+depth]').keys()) as unknown as [sessionId: string, depth: number][];
	totals.compactions = ends.filter(([sessionId]) => ids.has(sessionId)).length;
	return totals;
}
