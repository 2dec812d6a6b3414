import { AppError } from '../../shared/app-error';
import { blobOf } from '../../shared/byte-lines';
import type { Database } from '../../storage/database';
import { toStorageError } from '../../storage/storage-failure';
import type { SessionRows } from '../gate/admit-session';
import { LeftOuts, type LeftOut } from '../gate/left-outs';
import { admitUnits } from '../imports/admit';
import { backup } from '../imports/backup';
import type { Unit } from '../imports/format';
import { emptySession, mergeSession } from '../imports/merge';
import type { Counts } from './format';
import { backupStream, type WriteOptions } from './write';

/** A backup that was read back to its end. `leftOut` is what restoring it elsewhere would not bring: nothing in one that is verified. */
export interface Checked {
	bytes: number;
	counts: Counts;
	leftOut: LeftOut[];
}

/** Called with what is being done, and how many rows are done, of how many. */
export type Progress = (step: 'writing' | 'checking', done: number, total: number) => void;

export type CreateOptions = Omit<WriteOptions, 'onProgress'> & { onProgress?: Progress };

/** A backup as a file in memory, or where the browser keeps large ones; read back before it is handed out. */
export async function createBackup(db: Database, options: CreateOptions): Promise<{ file: Blob; checked: Checked }> {
	const file = await withFileErrors(blobOf(streamOf(db, options)));
	return { file, checked: await checkBackup(file, options) };
}

/** A place that a backup can be written to, and read back from: what `showSaveFilePicker` gives. */
export type SaveTarget = Pick<FileSystemFileHandle, 'createWritable' | 'getFile'> & { remove?: () => Promise<void> };

/** Writes a backup to the disk, then reads it back from there. What stood there before stays if it does not succeed. */
export async function saveBackup(db: Database, target: SaveTarget, options: CreateOptions): Promise<Checked> {
	try {
		await withFileErrors(streamOf(db, options).pipeTo(await target.createWritable()));
	} catch (error) {
		// The picker has made an empty file, unless there was one.
		if (target.remove && (await target.getFile()).size === 0) await target.remove();
		throw error;
	}
	return checkBackup(await target.getFile(), options);
}

/** Reads a backup as restoring it in an empty browser does. Throws `readBackup`'s AppErrors, and the signal's reason when that aborts. */
async function checkBackup(file: Blob, { now, onProgress, signal }: CreateOptions): Promise<Checked> {
	const leftOut = new LeftOuts();
	const counts: Counts = {};
	let done = 0;
	let total = 0;
	for await (const unit of admitUnits(counted(backup.units(file, signal), counts), now, leftOut)) {
		signal?.throwIfAborted();
		if (unit.kind === 'about') {
			total = unit.rows;
			continue;
		}
		if (unit.kind === 'session' && unit.session) for (const { table, reason, count } of leftOutOf(unit.session)) leftOut.add(table, reason, count);
		done += unit.rows;
		onProgress?.('checking', done, Math.max(total, done));
	}
	return { bytes: file.size, counts, leftOut: leftOut.list };
}

/** Yields the units, and adds their rows to `counts`. */
async function* counted(units: AsyncIterable<Unit>, counts: Counts): AsyncGenerator<Unit> {
	for await (const unit of units) {
		if (unit.kind === 'session' || unit.kind === 'shared') for (const { table } of unit.rows) counts[table] = (counts[table] ?? 0) + 1;
		yield unit;
	}
}

function leftOutOf(rows: SessionRows): LeftOut[] {
	return mergeSession(emptySession(rows.id), rows, () => 0).leftOut;
}

function streamOf(db: Database, { onProgress, ...options }: CreateOptions) {
	return backupStream(db, {
		...options,
		...(onProgress ? { onProgress: (done, total) => onProgress('writing', done, total) } : {})
	});
}

async function withFileErrors<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof DOMException && error.name === 'AbortError') throw error;
		const failure = toStorageError(error);
		if (failure instanceof AppError || !(error instanceof DOMException)) throw failure;
		throw new AppError('backup-unwritten', 'The file could not be written there. Choose another place, then try again.', {
			retryable: true,
			cause: error
		});
	}
}
