import { Dexie, type DBCore, type DBCoreMutateRequest, type DBCoreTable, type DBCoreTransaction, type Middleware } from 'dexie';
import { definitions } from './definitions';
import type { Change } from './tables/changes';

/** Tells whether a table is of what can be found, or of what says whether it is there. */
function isSearchable(table: string): boolean {
	return definitions.get(table)?.isSearchable === true;
}

/** The messages that are written, by session; none where the rows are of another table. */
type Written = Map<string, string[] | 'all'>;

/** The messages that a transaction has logged so far, by session. */
type Logged = Map<string, Set<string> | 'all'>;

/**
 * Adds to `changes` what any write of searchable rows touches, in the transaction that writes them: both are there, or
 * neither is. A session that a transaction writes to several times has one row there, unless a later write says more. What an
 * upgrade of the schema writes is not logged: where that can be found, it has to clear what was made of it.
 */
export function loggedChanges(): Middleware<DBCore> {
	const transactions = new WeakMap<DBCoreTransaction, Logged>();
	const loggedBy = (transaction: DBCoreTransaction) => {
		const logged: Logged = transactions.get(transaction) ?? new Map();
		transactions.set(transaction, logged);
		return logged;
	};
	return {
		stack: 'dbcore',
		name: 'logged changes',
		create: (down) => ({
			...down,
			transaction: (stores, mode, options) => {
				const logs = mode === 'readwrite' && stores.some(isSearchable) && !stores.includes('changes');
				return down.transaction(logs ? [...stores, 'changes'] : stores, mode, options);
			},
			table: (name) => (isSearchable(name) ? loggedTable(down, name, loggedBy) : down.table(name))
		})
	};
}

function loggedTable(down: DBCore, name: string, loggedBy: (transaction: DBCoreTransaction) => Logged): DBCoreTable {
	const table = down.table(name);
	return {
		...table,
		mutate: (request) => {
			const { trans } = request;
			if ((trans as IDBTransaction).mode === 'versionchange') return table.mutate(request);
			const log = (written: Written) => addChanges(down, trans, changesOf(written, loggedBy(trans)));
			// Asked for before the write, so answered before it, and no write that is asked for meanwhile overtakes this one.
			const written = writtenBy(table, request) ?? keysIn(table, request).then(byKeys);
			const logged = written instanceof Map ? log(written) : written.then(log);
			return Dexie.Promise.all([table.mutate(request), logged]).then(([response]) => response);
		}
	};
}

/** Dexie's mark of a range that is one key. */
const equal = 1;

/** Returns what a request writes, as far as it says so itself: undefined for a range of keys that may span sessions. */
function writtenBy({ name, schema }: DBCoreTable, request: DBCoreMutateRequest): Written | undefined {
	if (request.type === 'delete') return byKeys(request.keys);
	if (request.type !== 'deleteRange') return byKeys(request.values.map((row) => schema.primaryKey.extractKey!(row) as unknown));
	const { type, lower, upper } = request.range as { type: number; lower: unknown; upper: unknown };
	if (type === equal) return byKeys([lower]);
	const oneSession = Array.isArray(lower) && Array.isArray(upper) && typeof lower[0] === 'string' && lower[0] === upper[0];
	return oneSession ? new Map([[lower[0] as string, name === 'messages' ? 'all' : []]]) : undefined;
}

/** The keys of the rows that a request deletes by a range. */
function keysIn(table: DBCoreTable, request: DBCoreMutateRequest): Promise<unknown[]> {
	const { trans, range } = request as Extract<DBCoreMutateRequest, { type: 'deleteRange' }>;
	return table.query({ trans, values: false, query: { index: table.schema.primaryKey, range } }).then(({ result }) => result as unknown[]);
}

/** All keys begin with the session's id, or are it; a message's own id is its third part. What is no text never was a session's. */
function byKeys(keys: readonly unknown[]): Written {
	const written = new Map<string, string[]>();
	for (const key of keys) {
		const [sessionId, , messageId] = Array.isArray(key) ? (key as unknown[]) : [key];
		if (typeof sessionId !== 'string') continue;
		const ids = written.get(sessionId) ?? [];
		written.set(sessionId, ids);
		if (typeof messageId === 'string') ids.push(messageId);
	}
	return written;
}

/** Returns the changes that are not logged yet, which then count as logged. */
function changesOf(written: Written, logged: Logged): Omit<Change, 'seq'>[] {
	const changes: Omit<Change, 'seq'>[] = [];
	for (const [sessionId, ids] of written) {
		const before = logged.get(sessionId);
		if (before === 'all') continue;
		const messageIds = ids === 'all' ? ids : ids.filter((id) => !before?.has(id));
		if (before && messageIds.length === 0) continue;
		logged.set(sessionId, messageIds === 'all' ? messageIds : new Set([...(before ?? []), ...messageIds]));
		changes.push({ sessionId, messageIds });
	}
	return changes;
}

/** Fails the transaction where it fails, also where the error is caught: nothing may be written without. */
function addChanges(down: DBCore, trans: DBCoreTransaction, changes: Omit<Change, 'seq'>[]): Promise<void> | undefined {
	if (changes.length === 0) return undefined;
	return down
		.table('changes')
		.mutate({ type: 'add', trans, values: changes })
		.then(({ failures }) => {
			const [failure] = Object.values(failures);
			if (!failure) return;
			fail(trans, failure);
			throw failure;
		});
}

/** An aborted transaction can't be aborted again. */
function fail(trans: DBCoreTransaction, { name }: Error): void {
	if (name !== 'AbortError') trans.abort();
}
