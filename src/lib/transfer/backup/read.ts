import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as v from 'valibot';
import { AppError } from '../../shared/app-error';
import { chunksOf, linesOf } from '../../shared/byte-lines';
import { gunzip } from '../../shared/gunzip';
import { createPause } from '../../shared/pause';
import { databaseVersion } from '../../storage/database';
import { upgradedRows } from '../../storage/migrations';
import { tableOf } from '../../storage/row-lines';
import { isTime } from '../gate/limits';
import { unreadableFile } from '../unreadable-file';
import { putContents, withoutContents } from './attachment-lines';
import { backupTables, backupVersion, formerTables, type BackupTable, type Counts, type End, type Header, type Line } from './format';
import { isCrowded } from './line-extent';

/** A step of reading a backup: its header first, then its rows as this version has them. */
export type Reading = { header: Header } | { table: BackupTable; row: unknown; bytes: number };

/**
 * Limits of what is read of a file, in bytes: how far the first and the last line may reach, and any other, and one of an attachment without its
 * files; how much more the whole may become when it is unpacked, above what does no harm, and how much it may be at most. Real backups are far
 * from each.
 */
export const limits = { header: 65_536, line: 128_000_000, attachment: 1_000_000, harmless: 64_000_000, ratio: 100, total: 64_000_000_000 };

/** Number of bytes of a line that are hashed before what else waits may have its turn. */
const hashedAtOnce = 1_000_000;

const version = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const rowCounts = v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

const headerSchema: v.GenericSchema<unknown, Header> = v.object({
	format: v.literal('snug-backup'),
	version,
	databaseVersion: version,
	createdAt: v.pipe(v.number(), v.check(isTime)),
	counts: rowCounts
});

const endSchema: v.GenericSchema<unknown, End> = v.object({ end: v.literal(true), counts: rowCounts, sha256: v.string() });

/** Tells whether a file begins as a backup does, packed or not. */
export async function isBackup(file: Blob): Promise<boolean> {
	try {
		for await (const line of linesOf(unpacked(file), checkLength)) return isHeader(parse(line));
	} catch (error) {
		if (!(error instanceof AppError) || error.code === 'file-unreadable') throw error;
	}
	return false;
}

/**
 * Reads a backup, a row at a time, and checks it as a whole: whoever has seen the end has a file whose counts and hash
 * agree. A file that was unpacked on its way, as some browsers do, is read as well. Throws an AppError with one sentence
 * for a file that is no backup (`backup-foreign`), a newer one (`backup-newer`), one that is larger than it can be
 * (`backup-large`), or one that is damaged or cut off (`backup-damaged`), at the place where that shows; and the signal's reason when that aborts.
 */
export async function* readBackup(file: Blob, signal?: AbortSignal): AsyncGenerator<Reading> {
	const hash = sha256.create();
	const counts: Counts = {};
	const pause = createPause();
	let header: Header | undefined;
	let end: End | undefined;
	for await (const line of linesOf(unpacked(file, signal), checkLength)) {
		await pause();
		if (line.at(-1) !== 10) throw header ? damaged('It ends in the middle of a line') : foreign();
		if (!header) {
			header = asHeader(parse(line));
			hash.update(line);
			yield { header };
			continue;
		}
		if (end) throw damaged('There is more after its end');
		const isAttachment = tableOf(line) === 'attachments';
		const { rest, contents } = isAttachment ? withoutContents(line) : { rest: line, contents: new Map<never, never>() };
		if ((isAttachment && rest.length > limits.attachment) || (await isCrowded(rest))) throw tooLarge(largeRow);
		const value = parse(rest);
		if (line.length <= limits.header && isEnd(value)) {
			end = value;
			continue;
		}
		if (!isLine(value)) throw damaged('A line of it can’t be read');
		for (let at = 0; at < line.length; at += hashedAtOnce) {
			signal?.throwIfAborted();
			await pause();
			hash.update(line.subarray(at, at + hashedAtOnce));
		}
		counts[value.table] = (counts[value.table] ?? 0) + 1;
		if (!isBackedUp(value)) continue;
		if (isAttachment) await putContents(value.row, contents, signal);
		for (const upgraded of upgradedRows(value.table, value.row)) yield { ...upgraded, bytes: line.length };
	}
	if (!header) throw foreign();
	if (!end) throw damaged('Its end is missing');
	if (!sameCounts(end.counts, counts)) throw damaged('Some of its rows are missing');
	if (end.sha256 !== bytesToHex(hash.digest())) throw damaged('It was changed after it was made');
}

function checkLength(length: number, index: number): void {
	if (index === 0 && length > limits.header) throw foreign();
	if (length > limits.line) throw tooLarge(largeRow);
}

const largeRow = 'A row of it is larger than any that Snug writes';

function foreign(): AppError {
	return new AppError('backup-foreign', 'This file is not a Snug backup. Choose one whose name begins with “snug-backup”.');
}

/** `what` is what shows it, the beginning of a sentence. */
function damaged(what: string): AppError {
	return new AppError('backup-damaged', `This backup is damaged or incomplete, so nothing was restored. ${what}. Use another copy of it.`);
}

export function tooLarge(what: string): AppError {
	return new AppError('backup-large', `${what}, so nothing was restored. Snug did not make it.`);
}

function inflated(): AppError {
	return tooLarge('It unpacks to more than a hundred times its size');
}

function asHeader(value: unknown): Header {
	if (!isHeader(value)) throw foreign();
	if (value.version > backupVersion || (value.databaseVersion ?? 0) > databaseVersion) {
		throw new AppError('backup-newer', 'This backup is from a newer Snug. Reload this page until it has updated itself, then try again.');
	}
	const { success, output } = v.safeParse(headerSchema, value);
	if (!success) throw damaged('Its first line can’t be read');
	return output;
}

function isHeader(value: unknown): value is Partial<Header> & Pick<Header, 'version'> {
	const header = (typeof value === 'object' ? value : null) as Partial<Header> | null;
	return header?.format === 'snug-backup' && typeof header.version === 'number';
}

function isEnd(value: unknown): value is End {
	return v.is(endSchema, value);
}

function isLine(value: unknown): value is Line | FormerLine {
	return typeof value === 'object' && value !== null && 'row' in value && readTables.includes((value as Line).table);
}

interface FormerLine {
	table: string;
	row: unknown;
}

const readTables: readonly string[] = [...backupTables, ...formerTables];

function isBackedUp(line: Line | FormerLine): line is Line {
	return !formerTables.includes(line.table);
}

/** Of the tables that either counts; none is as good as absent. */
function sameCounts(told: Counts, counted: Counts): boolean {
	return readTables.every((table) => (told[table] ?? 0) === (counted[table] ?? 0));
}

/** The value of a line, or undefined if it is no JSON. */
function parse(line: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
	} catch {
		return undefined;
	}
}

/** The file's chunks, unpacked. */
async function* unpacked(file: Blob, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const packed = await isPacked(file);
	// A stream has much at hand, and gives all of it in one turn.
	const pause = createPause();
	const stream = packed ? gunzip(file) : file.stream();
	let total = 0;
	try {
		for await (const bytes of chunksOf(stream)) {
			signal?.throwIfAborted();
			total += bytes.length;
			if (packed && total > limits.harmless && total > file.size * limits.ratio) throw inflated();
			if (total > limits.total) throw tooLarge('It is larger than any backup that Snug can make');
			await pause();
			yield bytes;
		}
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof AppError) throw error;
		throw error instanceof DOMException ? unreadableFile(error) : damaged('It can’t be unpacked to its end');
	}
}

async function isPacked(file: Blob): Promise<boolean> {
	try {
		const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
		return first === 0x1f && second === 0x8b;
	} catch (error) {
		throw unreadableFile(error);
	}
}
