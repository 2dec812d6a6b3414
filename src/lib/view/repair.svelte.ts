// Without app.ts: the repair page opens when that can't.
import type { AppError } from '../shared/app-error';
import { formatBytes } from '../shared/bytes';
import { shorten } from '../shared/shorten';
import { Database } from '../storage/database';
import { examine, quarantineLines, rawData, type Examination } from '../storage/examine';
import { databaseName, openAsItIs } from '../storage/raw-database';
import { plain } from '../storage/row-lines';
import { withoutSecrets } from '../storage/secrets';
import type { QuarantinedRow } from '../storage/tables/quarantine';
import { failureOf } from './attempt';
import { saveFile } from './save-file';

type Look =
	| { phase: 'looking'; share: number }
	| { phase: 'absent' }
	| { phase: 'failed'; failure: AppError }
	| ({ phase: 'seen' } & Examination);

let look = $state.raw<Look>({ phase: 'looking', share: 0 });
let work = $state.raw<string | undefined>();
let share = $state.raw<number | undefined>();
let said = $state.raw('');
let problem = $state.raw<AppError | undefined>();

/** The longest text of a row that is shown, in characters. */
const maxShownLength = 20_000;

export const repair = {
	/** The findings, as far as they are known. */
	get look() {
		return look;
	},
	/** The work under way, as a sentence. */
	get work() {
		return work;
	},
	/** Progress of that work, from 0 to 1, where it can be told. */
	get share() {
		return share;
	},
	/** Outcome of the last work, '' where it failed. */
	get said() {
		return said;
	},
	/** Failure of the last work. */
	get problem() {
		return problem;
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
			look = { phase: 'failed', failure: failureOf(error) };
		}
	},

	/** Moves every row that does not fit to the quarantine. */
	quarantine(): Promise<void> {
		const rows = look.phase === 'seen' ? look.invalidRows : [];
		return change('Moving rows to the quarantine …', async () => {
			const { quarantineUnfenced } = await import('../storage/quarantine');
			await using(new Database(), async (db) => {
				for (const row of rows) await quarantineUnfenced(db, row);
			});
			return rows.length === 1 ? 'One row was quarantined.' : `${rows.length} rows were quarantined.`;
		});
	},

	/** Makes the session valid again. */
	rebuild(id: string): Promise<void> {
		return change('Rebuilding …', async () => {
			const { rebuildSessionUnfenced } = await import('../storage/repair');
			await using(new Database(), (db) => rebuildSessionUnfenced(db, id));
			return 'The chat was rebuilt.';
		});
	},

	/** Saves every row of every table, without API keys. */
	downloadAll(): Promise<void> {
		return during('Collecting every row …', async () => {
			const blob = await withDatabase((db) => rawData(db, (done) => (share = done)));
			if (!blob) return 'There is nothing to download.';
			saveFile(blob, `snug-raw-${today()}.jsonl.gz`);
			return 'Every row was handed to the browser as a download.';
		});
	},

	/** Saves what was quarantined, without API keys. */
	downloadQuarantine(rows: QuarantinedRow[]): Promise<void> {
		return during('Collecting rows …', async () => {
			saveFile(await quarantineLines(rows), `snug-quarantine-${today()}.jsonl`);
			return 'The rows were handed to the browser as a download.';
		});
	},

	/** A row that was quarantined, as it may be shown: the beginning of a long one, and of files only their sizes. */
	textOf({ table, row }: QuarantinedRow): string {
		const text = JSON.stringify(plain(withoutSecrets(table, row), ({ size }) => formatBytes(size)), null, 2) ?? '';
		return shorten(text, maxShownLength);
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
	said = '';
	problem = undefined;
	try {
		said = await task();
	} catch (error) {
		problem = failureOf(error);
	} finally {
		work = share = undefined;
	}
}

async function change(sentence: string, task: () => Promise<string>): Promise<void> {
	await during(sentence, task);
	await repair.examine();
}

function today(): string {
	return new Date().toISOString().slice(0, 10);
}
