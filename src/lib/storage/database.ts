import { Dexie, type PromiseExtended } from 'dexie';
import { AppError } from '../shared/app-error';
import { checkedRows, type BrokenRow } from './checked';
import { definitions } from './definitions';
import { loggedChanges } from './logged-changes';
import { newerDatabase, prepareDatabase, type Prepared } from './open-database';
import { databaseName, versionOf } from './raw-database';
import type { Store } from './tables';

/** The versions whose rows are changed on the way to them. */
const upgrades = {
	2: 'upgradeToVersion2',
	5: 'upgradeToVersion5',
	6: 'upgradeToVersion6',
	7: 'upgradeToVersion7',
	9: 'upgradeToVersion9',
	11: 'upgradeToVersion11'
} as const satisfies Record<number, keyof NonNullable<Prepared['migrations']>>;

/** The version of the schema that the tables name; the browser knows it as ten times that. */
export const databaseVersion = Math.max(...[...definitions.values()].flatMap(({ indexes }) => Object.keys(indexes).map(Number)));

/**
 * The stores that each version makes or changes, as Dexie reads them. A version that changes no rows is part of the next one that does, or of the
 * newest: of each version that it is told, Dexie reads all those before it once more.
 */
const stores = new Map([...Object.keys(upgrades).map(Number), databaseVersion].map((version): [number, Record<string, string>] => [version, {}]));
for (const [table, { key, isNumbered, indexes }] of definitions) {
	const primary = typeof key === 'string' ? `${isNumbered ? '++' : ''}${key}` : `[${key.join('+')}]`;
	for (const [version, others] of Object.entries(indexes)) {
		const told = [...stores.keys()].find((other) => other >= Number(version))!;
		stores.get(told)![table] = others === '' ? primary : `${primary}, ${others}`;
	}
}

const DexieWithTables = Dexie as unknown as new (...options: ConstructorParameters<typeof Dexie>) => Store;

/** Everything that Snug keeps, in one IndexedDB database. docs/data.md describes each table. */
export class Database extends DexieWithTables {
	/**
	 * Told why the database can't be used, by an AppError: `newer-database`, `older-tab`, `snapshot-failed`, or `other-tabs`
	 * while others keep a migration waiting; and undefined when that is over.
	 */
	onObstacle: ((obstacle: AppError | undefined) => void) | undefined;
	/** Told how much of the copy before a migration is made, from 0 to 1, and undefined when that is over. */
	onCopy: ((share: number | undefined) => void) | undefined;
	/** Set when the database was not there and has been made. */
	isNew = false;
	private readonly factory: IDBFactory | undefined = Dexie.dependencies.indexedDB;
	private opening: PromiseExtended<Dexie> | undefined;
	private migrations: Prepared['migrations'];
	private closings = 0;
	private waiting = false;
	private readonly broken = new Set<string>();

	/** `root` is where files are kept: OPFS, unless a test says otherwise. */
	constructor(
		name = databaseName,
		private readonly root = () => navigator.storage.getDirectory()
	) {
		// What was acknowledged survives a power cut; measured at about 1 ms more a write.
		// Without Dexie's cache a live query never tells what is not stored yet, or never will be.
		super(name, { chromeTransactionDurability: 'strict', cache: 'disabled' });
		for (const [number, made] of stores) {
			const version = this.version(number).stores(made);
			const upgrade = upgrades[number as keyof typeof upgrades] as (typeof upgrades)[keyof typeof upgrades] | undefined;
			if (upgrade) version.upgrade((transaction) => this.migrations![upgrade](transaction));
		}
		this.use(checkedRows((row) => this.repairLater(row)));
		this.use(loggedChanges());
		this.on('populate', () => void (this.isNew = true));
		this.on('versionchange', ({ newVersion }) => {
			// Only an upgrade: Dexie itself gives way to a deletion.
			if (newVersion === null) return true;
			this.refuse(
				new AppError('older-tab', 'A newer version of Snug was opened in another tab. Reload this tab to go on; nothing is lost.')
			);
			return false;
		});
		this.on('blocked', () => {
			this.waiting = true;
			this.onObstacle?.(
				new AppError('other-tabs', 'Snug was updated. Close its other tabs to go on.')
			);
			return false;
		});
	}

	/** Rejects with an AppError where the database must not be used. Dexie calls it for any query, so nothing slips past. */
	override open(): PromiseExtended<Dexie> {
		if (this.opening) return this.opening;
		if (this.isOpen()) return super.open();
		this.opening = Dexie.Promise.resolve(this.openSafely());
		return this.opening;
	}

	override close(options?: { disableAutoOpen: boolean }): void {
		this.closings++;
		super.close(options);
	}

	private async openSafely(): Promise<Dexie> {
		const { factory, name, root, closings } = this;
		let held: IDBDatabase | undefined;
		try {
			const prepared = factory && (await prepareDatabase({ factory, name, version: databaseVersion, root, onCopy: (share) => this.onCopy?.(share) }));
			({ held, migrations: this.migrations } = prepared ?? {});
			if (closings !== this.closings) throw new Dexie.DatabaseClosedError();
		} catch (error) {
			this.opening = undefined;
			this.refuse(error);
			throw error;
		} finally {
			this.onCopy?.(undefined);
		}
		try {
			await super.open();
		} finally {
			held?.close();
			this.opening = undefined;
			if (this.waiting) this.onObstacle?.(undefined);
			this.waiting = false;
		}
		// Another tab may have brought a newer one between the look and the opening.
		if (versionOf(this.backendDB()) > databaseVersion) {
			const error = newerDatabase();
			this.refuse(error);
			throw error;
		}
		return this;
	}

	/** Closes for good: every query, also one that waits already, rejects with a DatabaseClosedError whose `inner` is the reason. */
	private refuse(reason: unknown): void {
		// Dexie has no way to say that opening failed before it began, and waiting queries would wait for ever.
		const state = (this as unknown as { _state: DexieState })._state;
		const release = state.dbReadyResolve;
		this.close();
		state.dbOpenError = reason;
		state.openComplete = true;
		release();
		if (reason instanceof AppError) this.onObstacle?.(reason);
	}

	/** After the transaction that found it. A row which can't be moved is tried once a page only. */
	private repairLater(row: BrokenRow): void {
		const name = JSON.stringify([row.table, row.key]);
		if (this.broken.has(name)) return;
		this.broken.add(name);
		setTimeout(() => {
			const moved = import('./quarantine').then(({ quarantineUnfenced }) => quarantineUnfenced(this, row));
			moved.then(
				() => this.broken.delete(name),
				(error: unknown) => console.warn(`A row of ${row.table} could not be quarantined.`, error)
			);
		});
	}
}

/** Dexie's state of its own opening, as far as it is needed here. */
interface DexieState {
	dbReadyResolve: () => void;
	dbOpenError: unknown;
	openComplete: boolean;
}
