import type { LeftOut } from '../gate';
import type { UnitRow } from './format';
import type { ImportSummary } from './import-file';
import type { Offers } from './offers';
import type { ImportId } from './registry';

/** Numbers of what is in chats. `branches` are the ends of chats: one that was never forked has one. */
export interface Tally {
	sessions: number;
	messages: number;
	branches: number;
	attachments: number;
}

/** An account of an import: what the file has, what of it is new here, what was here already, and what does not come. */
export interface Receipt {
	format: ImportId;
	found: Tally;
	kept: Tally;
	merged: Tally;
	skipped: { what: string; why: string; count: number }[];
	/** Servers and settings of the file, none of which is in use until it is accepted. */
	offers: Offers;
}

export function emptyTally(): Tally {
	return { sessions: 0, messages: 0, branches: 0, attachments: 0 };
}

/** Counts the rows of a session in a file, before they are checked. */
export function tallyOf(rows: UnitRow[]): Tally {
	const of = (table: UnitRow['table']) => rows.filter((row) => row.table === table);
	const messages = of('messages').map(({ row }) => (row ?? {}) as { id?: unknown; parentId?: unknown });
	return { sessions: of('sessions').length, messages: messages.length, branches: endsOf(messages).length, attachments: of('attachments').length };
}

/** Returns the messages that none follows. */
export function endsOf<M extends { id?: unknown; parentId?: unknown }>(messages: M[]): M[] {
	const parents = new Set(messages.map(({ parentId }) => parentId));
	return messages.filter(({ id }) => !parents.has(id));
}

export function addTally(sum: Tally, more: Tally): void {
	for (const kind of Object.keys(sum) as (keyof Tally)[]) sum[kind] += more[kind];
}

export function receiptOf({ format, found, sessions, messages, branches, attachments, leftOut, offers }: ImportSummary): Receipt {
	return {
		format,
		found,
		kept: { sessions: sessions.added + sessions.back, messages: messages.added, branches: branches.added, attachments: attachments.added },
		merged: { sessions: sessions.changed + sessions.same, messages: messages.same, branches: branches.same, attachments: attachments.same },
		skipped: leftOut.map(({ table, reason, count }) => ({ what: table, why: reason, count })),
		offers
	};
}
