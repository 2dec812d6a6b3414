// Without app.ts: the repair page opens when that can't.
import { Database, databaseName } from '../storage/database';
import { examine, quarantineLines, rawData, withoutApiKey, type Examination } from '../storage/examine';
import type { QuarantinedRow } from '../storage/quarantine';
import { openAsItIs } from '../storage/raw-database';
import { plain } from '../storage/row-lines';
import { explainStorageFailure } from '../storage/storage-failure';

type Look =
	| { phase: 'looking'; share: number }
	| { phase: 'absent' }
	| { phase: 'failed'; reason: string }
	| ({ phase: 'seen' } & Examination);

let look = $state.raw<Look>({ phase: 'looking', share: 0 });
let work = $state.raw<string | undefined>();
let said = $state.raw('');

export const repair = {
	/** What was found, as far as it is known. */
	get look() {
		return look;
	},
	/** What is being done, as a sentence, while it is. */
	get work() {
		return work;
	},
	/** What was done last, or why it was not. */
	get said() {
		return said;
	},

	/** Looks at every row, and changes nothing. */
	async examine(): Promise<void> {
		look = { phase: 'looking', share: 0 };
		try {
			const found = await withDatabase((db) =>
				examine(db, (share) => {
					look = { phase: 'looking', share };
				})
			);
			look = found ? { phase: 'seen', ...found } : { phase: 'absent' };
		} catch (error) {
			look = { phase: 'failed', reason: sentenceOf(error) };
		}
	},

	/** Moves every row that does not fit to the quarantine. */
	setAside(): Promise<void> {
		const rows = look.phase === 'seen' ? look.unfit : [];
		return change('Setting rows aside …', async () => {
			const { setAside } = await import('../storage/set-aside');
			await using(new Database(), async (db) => {
				for (const row of rows) await setAside(db, row);
			});
			return rows.length === 1 ? 'One row was set aside.' : `${rows.length} rows were set aside.`;
		});
	},

	/** Makes the session sound again. */
	rebuild(id: string): Promise<void> {
		return change('Rebuilding …', async () => {
			const { rebuildSession } = await import('../storage/repair');
			await using(new Database(), (db) => rebuildSession(db, id));
			return 'The session was rebuilt.';
		});
	},

	/** Saves every row of every table, without API keys. */
	downloadAll(): Promise<void> {
		return during('Collecting every row …', async () => {
			const blob = await withDatabase(rawData);
			if (!blob) return 'There is nothing to download.';
			save(`snug-raw-${today()}.jsonl.gz`, blob);
			return 'Every row was handed to the browser as a download.';
		});
	},

	/** Saves what was set aside, without API keys. */
	downloadQuarantine(rows: QuarantinedRow[]): Promise<void> {
		return during('Collecting rows …', async () => {
			save(`snug-quarantine-${today()}.jsonl`, new Blob([await quarantineLines(rows)], { type: 'application/jsonl' }));
			return 'The rows were handed to the browser as a download.';
		});
	},

	/** A row that was set aside, as it may be shown. */
	async textOf(row: QuarantinedRow): Promise<string> {
		return JSON.stringify(await plain(withoutApiKey(row.table, row.row)), null, 2) ?? '';
	}
};

async function withDatabase<T>(work: (db: IDBDatabase) => Promise<T>): Promise<T | undefined> {
	const db = await openAsItIs(indexedDB, databaseName);
	if (!db) return undefined;
	// This page keeps no other tab from anything.
	db.onversionchange = () => db.close();
	try {
		return await work(db);
	} finally {
		db.close();
	}
}

async function using<D extends { close(): void }>(db: D, work: (db: D) => Promise<void>): Promise<void> {
	try {
		await work(db);
	} finally {
		db.close();
	}
}

async function during(sentence: string, task: () => Promise<string>): Promise<void> {
	work = sentence;
	try {
		said = await task();
	} catch (error) {
		said = sentenceOf(error);
	} finally {
		work = undefined;
	}
}

async function change(sentence: string, task: () => Promise<string>): Promise<void> {
	await during(sentence, task);
	await repair.examine();
}

function sentenceOf(error: unknown): string {
	const explained = explainStorageFailure(error);
	return explained instanceof Error ? explained.message : String(explained);
}

function save(name: string, blob: Blob): void {
	const url = URL.createObjectURL(blob);
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function today(): string {
	return new Date().toISOString().slice(0, 10);
}
