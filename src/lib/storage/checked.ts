import { Dexie, type DBCore, type DBCoreCursor, type DBCoreQueryRequest, type DBCoreTable, type DBCoreTransaction, type Middleware } from 'dexie';
import type { Message } from '../conversation/message';
import type { Tree } from '../conversation/tree';
import { definitions } from './definitions';
import { placedPosition } from './positions';
import { faultOf, isChecked, readable } from './row-checks';
import { isMessageKey, likelyParent, readableParent, rebuiltTree, placeholderFor } from './placeholders';
import type { CheckedTable } from './tables';
import type { RepairRule } from './tables/definition';
import type { MessageKey } from './tables/messages';
import type { Position } from './tables/positions';

/** A row that was read and does not fit its schema. */
export interface BrokenRow {
	table: CheckedTable;
	key: unknown;
}

/** A row that was to be written and does not fit its schema. Nothing of its transaction is stored. */
export class RefusedRow extends Error {
	constructor(table: CheckedTable, fault: string) {
		super(`A row for ${table} does not fit. ${fault}`);
		this.name = 'RefusedRow';
	}
}

const unchecked = new WeakSet<DBCoreTransaction>();

/** Lets a transaction read and write rows as they are. */
export function readUnchecked(transaction: IDBTransaction): void {
	unchecked.add(transaction);
}

/**
 * Checks every row that is written or read through Dexie, wherever that is [R6]. A write that does not fit is refused: it is a bug
 * or comes from outside, and would be out of reach from then on. A broken message is read as a marker in its place,
 * a broken tree row as one rebuilt from the messages, and a broken position as one at the end of the newest branch, if the transaction may
 * read these; any other broken row as absent.
 * A read can't write, so `found` is told, which is to quarantine the row after it (quarantine.ts). While rows of an older
 * version are migrated, nothing is checked.
 */
export function checkedRows(found: (row: BrokenRow) => void): Middleware<DBCore> {
	return {
		stack: 'dbcore',
		name: 'checked rows',
		create: (down) => ({
			...down,
			table: (name) => (isChecked(name) ? checkedTable(down, name, found) : down.table(name))
		})
	};
}

function checkedTable(down: DBCore, name: CheckedTable, found: (row: BrokenRow) => void): DBCoreTable {
	const table = down.table(name);
	const keyOf = (row: unknown) => table.schema.primaryKey.extractKey!(row);
	const isBroken = (row: unknown) => {
		const broken = row !== undefined && faultOf(name, row) !== undefined;
		if (broken) found({ table: name, key: keyOf(row) });
		return broken;
	};
	const inPlaceOf = (row: unknown, transaction: DBCoreTransaction) => replacement(down, name, keyOf(row), row, transaction);
	return {
		...table,
		mutate: (request) => {
			if (!('values' in request) || passes(request.trans)) return table.mutate(request);
			const unfit = request.values.filter((row: unknown) => faultOf(name, row) !== undefined);
			if (unfit.length === 0) return table.mutate(request);
			// A change to a row that is broken already neither makes nor repairs that; its next reading quarantines it.
			return table.getMany({ trans: request.trans, keys: unfit.map(keyOf) }).then((before) => {
				const broke = unfit.find((_, index) => before[index] === undefined || faultOf(name, before[index]) === undefined);
				if (broke !== undefined) throw new RefusedRow(name, faultOf(name, broke)!);
				return table.mutate(request);
			});
		},
		get: (request) =>
			table.get(request).then((row) => (passes(request.trans) || !isBroken(row) ? row : inPlaceOf(row, request.trans))),
		getMany: (request) =>
			table.getMany(request).then((rows) => {
				if (passes(request.trans)) return rows;
				const broken = rows.map(isBroken);
				// Dexie asks so for rows that it changes itself; it would delete one that is absent.
				if (request.cache === 'immutable' || !broken.includes(true)) return rows;
				return Dexie.Promise.all(rows.map((row, index) => (broken[index] ? inPlaceOf(row, request.trans) : (row as unknown))));
			}),
		query: (request) =>
			table.query(request).then((response) => {
				if (!request.values || passes(request.trans)) return response;
				const broken = response.result.map(isBroken);
				if (!broken.includes(true)) return response;
				const rows = response.result.map((row, index) => (broken[index] ? inPlaceOf(row, request.trans) : (row as unknown)));
				return Dexie.Promise.all(rows).then((result) => ({ ...response, result: result.filter((row) => row !== undefined) }));
			}),
		openCursor: (request) =>
			table
				.openCursor(request)
				.then((cursor) => (!cursor || !request.values || passes(request.trans) ? cursor : passingOver(cursor, isBroken)))
	};
}

function passes(transaction: DBCoreTransaction): boolean {
	return unchecked.has(transaction) || (transaction as IDBTransaction).mode === 'versionchange';
}

/** The cursor without broken rows: it can't wait for what would stand in their place. */
function passingOver(cursor: DBCoreCursor, isBroken: (row: unknown) => boolean): DBCoreCursor {
	return Object.create(cursor, {
		key: { get: () => cursor.key as unknown },
		primaryKey: { get: () => cursor.primaryKey as unknown },
		value: { get: () => cursor.value as unknown },
		start: {
			value: (onNext: () => void) => cursor.start(() => (isBroken(cursor.value) ? cursor.continue() : onNext()))
		}
	}) as DBCoreCursor;
}

/** Returns the placeholder that is read instead of an invalid row, undefined for none. Without `await`, of which Dexie would have to know. */
function replacement(down: DBCore, table: CheckedTable, key: unknown, row: unknown, trans: DBCoreTransaction): unknown {
	const repair = definitions.get(table)?.repair;
	return repair && replacements[repair](down, row, key, trans);
}

const replacements: Record<RepairRule, (down: DBCore, row: unknown, key: unknown, trans: DBCoreTransaction) => unknown> = {
	placeholder: (down, row, key, trans) => (isMessageKey(key) ? messageInPlaceOf(down, row, key, trans) : undefined),
	'rebuild-tree': (down, row, key, trans) => treeInPlaceOf(down, row, key as string, trans),
	'rebuild-session': () => undefined,
	'find-head': (down, row, key, trans) => positionInPlaceOf(down, row, key as string, trans)
};

function messageInPlaceOf(down: DBCore, row: unknown, key: MessageKey, trans: DBCoreTransaction): Message | undefined | PromiseLike<Message | undefined> {
	const [sessionId, depth, id] = key;
	const reason = faultOf('messages', row)!;
	const named = readableParent(row, depth);
	if (named !== undefined) return placeholderFor(row, key, named, reason);
	const above = down.table('messages').query(within(down, trans, [sessionId, depth - 1], false));
	return above.then(({ result }) => {
		const parentId = likelyParent(id, (result as MessageKey[]).map(([, , id]) => id));
		return parentId === undefined ? undefined : placeholderFor(row, key, parentId, reason);
	});
}

function treeInPlaceOf(down: DBCore, row: unknown, sessionId: string, trans: DBCoreTransaction): PromiseLike<Tree | undefined> | undefined {
	// What is deleted is known from the trash, which this transaction may not be allowed to read.
	const { removed } = readable('trees', row);
	if (!removed || !mayRead(trans, 'messages')) return undefined;
	const read = (message: Message) => {
		const key = [sessionId, message.depth, message.id];
		if (!faultOf('messages', message)) return Dexie.Promise.resolve(message);
		return Dexie.Promise.resolve(isMessageKey(key) ? messageInPlaceOf(down, message, key, trans) : undefined);
	};
	return down
		.table('messages')
		.query(within(down, trans, [sessionId], true))
		.then(({ result }) => Dexie.Promise.all((result as Message[]).map(read)))
		.then((messages) => {
			const whole = messages.filter((message) => message !== undefined);
			return rebuiltTree(sessionId, row, whole, removed);
		});
}

/** Returns the position for a row of it that can't be read. A head that can be is enough; each reading of a fence that can't be gives another, which no tab knows. */
function positionInPlaceOf(down: DBCore, row: unknown, sessionId: string, trans: DBCoreTransaction): Position | undefined | PromiseLike<Position | undefined> {
	const known = readable('positions', row);
	if (known.headId !== undefined) return placedPosition({ sessionId, tips: [] }, known);
	if (!mayRead(trans, 'trees')) return undefined;
	return down
		.table('trees')
		.get({ trans, key: sessionId })
		.then((stored) => (stored === undefined || !faultOf('trees', stored) ? (stored as Tree | undefined) : treeInPlaceOf(down, stored, sessionId, trans)))
		.then((tree) => tree && placedPosition(tree, known));
}

function mayRead(trans: DBCoreTransaction, table: string): boolean {
	return (trans as IDBTransaction).objectStoreNames.contains(table);
}

/** All messages whose key begins so. */
function within(down: DBCore, trans: DBCoreTransaction, begins: unknown[], values: boolean): DBCoreQueryRequest {
	const { primaryKey } = down.table('messages').schema;
	const pad = (end: unknown) => [...begins, ...Array<unknown>(3 - begins.length).fill(end)];
	const range = { type: 2, lower: pad(down.MIN_KEY), upper: pad(down.MAX_KEY) };
	return { trans, values, query: { index: primaryKey, range } };
}
