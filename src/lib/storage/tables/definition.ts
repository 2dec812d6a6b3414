import type * as v from 'valibot';

/**
 * Everything that is said of one table, in one place: what goes through all tables asks here. Heavier rules stand in
 * `transfer/` and storage's lazily loaded files under the names used here, so that only names are loaded at the start.
 */
export interface TableDefinition<Row = unknown, Field = [unknown] extends [Row] ? string : keyof Row> {
	/** Checks each row that is written or read; undefined for rows that are stored as they are. */
	schema: v.GenericSchema<unknown, Row> | undefined;
	key: Field | readonly Field[];
	/** The browser gives the keys, each above the one before. */
	isNumbered?: true;
	/** The indexes beside the key, by the version of the database from which on the table has them. The first is the version that made it. */
	indexes: Readonly<Record<number, string>>;
	/** The owner of a row: a session, the user, this device; or none, where rows are made from others and can be made again. */
	scope: 'session' | 'shared' | 'device' | 'derived';
	/** The index that finds the rows of a session, where that is not the key. */
	sessionIndex?: string;
	/** The fields that list ids of the session's messages. */
	messageIds?: readonly Field[];
	/** Can be found by a search: what is written of it is logged in `changes`. Its key is a session's id, or begins with one. */
	isSearchable?: true;
	/** The way in which rows of a session are removed for good; of each table that has such rows, whoever owns them. */
	purge?: PurgeRule;
	secrets?: SecretsRule;
	/** The way in which a row that does not fit is replaced once it is in the quarantine; without one, nothing takes its place. */
	repair?: RepairRule;
	/** The way into a backup, and back; without one, no backup has the table. */
	backup?: BackupRule;
}

/**
 * `trashed`: deleting the session moves the row, so none is left · `by-depth`: a part at a time, deepest first · `last`: with the last of
 * those · `last-and-alone`: as `last`, and looked for where nothing else is left, since a tab may write one while its session goes.
 */
export type PurgeRule = 'trashed' | 'by-depth' | 'last' | 'last-and-alone';

/** `never`: no file may hold a row · `server`: of a row only what is known to be no key · `nested`: by the table that the row was of. */
export type SecretsRule = 'never' | 'server' | 'nested';

export type RepairRule = 'placeholder' | 'rebuild-tree' | 'rebuild-session' | 'find-head';

/**
 * `conversation`: written and merged as one with the other tables of that rule · `keep-own`: comes with a session that has no such row here ·
 * `from-messages`: written, and made from the messages that come · `with-messages`: comes with the messages that use it · `offer`: off until the
 * user takes it · `add-missing`: comes where nothing here has its key · `where-gone`: as that, and only where what it names
 * is not here · `former`: in older backups only, and passed over.
 */
export type BackupRule = 'conversation' | 'keep-own' | 'from-messages' | 'with-messages' | 'offer' | 'add-missing' | 'where-gone' | 'former';

/** Stands for the schema of rows that are stored as they are; only the compiler knows what they look like. */
export function unchecked<Row>(): v.GenericSchema<unknown, Row> | undefined {
	return undefined;
}

/** Compiles only while what it is given is true. */
export type Assert<_Given extends true> = _Given;

/** Is true where two types say the same. */
export type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
