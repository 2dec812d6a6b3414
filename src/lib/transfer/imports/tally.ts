import type { UnitRow } from './format';

/** Numbers of what is in chats. `branches` are the ends of chats: one that was never forked has one. */
export interface Tally {
	sessions: number;
	messages: number;
	branches: number;
	attachments: number;
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
