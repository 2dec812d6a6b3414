import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../shared/app-error';
import { databaseVersion } from '../../storage/database';
import { faultOf, isChecked } from '../../storage/row-schemas';
import { backupTables, backupVersion, decodeAttachment, type BackupTable, type Counts, type End, type Header, type Line } from './format';

/** What reading a backup yields: its header first, then its rows, each with what is wrong with it, if anything. */
export type Reading = { header: Header } | { table: BackupTable; row: unknown; fault: string | undefined; bytes: number };

/** How far the first line may reach, in bytes. What has none by then is something else. */
const headerLimit = 65_536;

/**
 * Reads a backup, a row at a time, and checks it as a whole: whoever has seen the end has a file whose counts and hash
 * agree. A file that was unpacked on its way, as some browsers do, is read as well. Throws an AppError with one sentence
 * for a file that is no backup (`backup-foreign`), a newer one (`backup-newer`), or one that is damaged or cut off
 * (`backup-damaged`), at the place where that shows.
 */
export async function* readBackup(file: Blob): AsyncGenerator<Reading> {
	const hash = sha256.create();
	const counts: Counts = {};
	let header: Header | undefined;
	let end: End | undefined;
	for await (const line of linesOf(file)) {
		if (!header) {
			header = asHeader(parse(line));
			hash.update(line);
			yield { header };
			continue;
		}
		if (end) throw damaged();
		const value = parse(line);
		if (isEnd(value)) {
			end = value;
			continue;
		}
		if (!isLine(value)) throw damaged();
		hash.update(line);
		counts[value.table] = (counts[value.table] ?? 0) + 1;
		const row = value.table === 'attachments' ? decodeAttachment(value.row) : value.row;
		yield { table: value.table, row, fault: isChecked(value.table) ? faultOf(value.table, row) : undefined, bytes: line.length };
	}
	if (!header) throw foreign();
	if (!end || end.sha256 !== bytesToHex(hash.digest()) || !sameCounts(end.counts, counts)) throw damaged();
}

function foreign(): AppError {
	return new AppError('backup-foreign', 'This file is not a Snug backup. Choose one whose name begins with “snug-backup”.');
}

function damaged(): AppError {
	return new AppError('backup-damaged', 'This backup is damaged or incomplete, so nothing was restored. Use another copy of it.');
}

function asHeader(value: unknown): Header {
	const header = (typeof value === 'object' ? value : null) as Partial<Header> | null;
	if (header?.format !== 'snug-backup' || typeof header.version !== 'number') throw foreign();
	if (header.version > backupVersion || (header.databaseVersion ?? 0) > databaseVersion) {
		throw new AppError('backup-newer', 'This backup is from a newer Snug. Reload this page until it has updated itself, then try again.');
	}
	return header as Header;
}

function isEnd(value: unknown): value is End {
	return typeof value === 'object' && value !== null && (value as Partial<End>).end === true;
}

function isLine(value: unknown): value is Line {
	return typeof value === 'object' && value !== null && 'row' in value && backupTables.includes((value as Line).table);
}

/** Of the tables that either counts; none is as good as absent. */
function sameCounts(told: Counts | undefined, counted: Counts): boolean {
	return backupTables.every((table) => (told?.[table] ?? 0) === (counted[table] ?? 0));
}

/** The value of a line, or undefined if it is no JSON. */
function parse(line: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
	} catch {
		return undefined;
	}
}

/** The lines of the file, unpacked, each with its line feed. What follows the last line feed was cut off. */
async function* linesOf(file: Blob): AsyncGenerator<Uint8Array> {
	let begun = false;
	let parts: Uint8Array[] = [];
	let held = 0;
	for await (const bytes of chunksOf(file)) {
		let from = 0;
		for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
			parts.push(bytes.subarray(from, to + 1));
			yield joined(parts);
			begun = true;
			parts = [];
			held = 0;
			from = to + 1;
		}
		parts.push(bytes.subarray(from));
		held += bytes.length - from;
		if (!begun && held > headerLimit) throw foreign();
	}
	if (held > 0) throw begun ? damaged() : foreign();
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
	const packed = await isPacked(file);
	const stream = packed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
	const reader = stream.getReader();
	try {
		for (;;) {
			const { value, done } = await reader.read().catch((error: unknown) => {
				throw error instanceof DOMException ? unreadable(error) : damaged();
			});
			if (done) return;
			yield value;
		}
	} finally {
		// Whoever stops reading has thrown already; the stream has nothing to add.
		void reader.cancel().catch(() => undefined);
	}
}

async function isPacked(file: Blob): Promise<boolean> {
	try {
		const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
		return first === 0x1f && second === 0x8b;
	} catch (error) {
		throw unreadable(error);
	}
}

function unreadable(cause: unknown): AppError {
	return new AppError('backup-unreadable', 'This file can’t be read: it was moved or changed, or it is a folder. Choose it again.', { cause });
}

function joined(parts: Uint8Array[]): Uint8Array {
	if (parts.length === 1) return parts[0]!;
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
