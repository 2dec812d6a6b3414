import type { BackupTable } from '../backup/format';

/** A row of a file in the shape of its table's, as far as the format can tell. Nothing of it is trusted yet. */
export interface UnitRow {
	table: BackupTable;
	row: unknown;
	/** Its size in the file, unpacked. */
	bytes: number;
}

/**
 * A piece of a file in the shape that all formats give:
 *
 * `about`, first: when the file was made, if it says so, and about how many rows follow ·
 * `session`: all that a session has, in any order, its tree left out where the messages tell it; each session comes once ·
 * `shared`: rows that belong to no session ·
 * `skipped`: what the file has and Snug has not, and why it does not come, as a sentence.
 */
export type Unit =
	| { kind: 'about'; createdAt?: number; rows: number }
	| { kind: 'session'; id: string; rows: UnitRow[] }
	| { kind: 'shared'; rows: UnitRow[] }
	| { kind: 'skipped'; what: string; why: string; count?: number };

/**
 * A kind of file that can be imported. It only reads; what it gives is checked, compared and merged in the same way whatever it comes
 * from. The same file gives the same ids, whenever and wherever, so that what came once does not come twice.
 */
export interface ImportFormat {
	/** Tells whether a file is of this kind by a few of its bytes. One that is cut off further on still is. */
	recognises(file: Blob): Promise<boolean>;
	/** Reads a file to its end. Throws an AppError where nothing of it can come, and the signal's reason when that aborts; a part that can't come is `skipped`. */
	units(file: Blob, signal?: AbortSignal): AsyncIterable<Unit>;
}
