import { tablesWhere } from '../../storage/definitions';
import type { TableName, tables } from '../../storage/tables';
import type { BackupRule } from '../../storage/tables/definition';
import type { SettingName } from '../../storage/tables/settings';

/*
 * A backup is JSON Lines, gzipped: a `Header`, one `Line` a row, an `End`. What belongs to one session stands together:
 * its row, its tree, its messages by depth, the rest, and the attachments that no session before it used. So one session
 * at a time can be restored, whatever the size of the whole. Attachments that no session uses are left out. Rows are
 * written as in the snapshots before a migration (storage/row-lines.ts).
 */

/** The version of this format that is written here, and the newest that can be read. */
export const backupVersion = 1;

/** Numbers of rows by table. */
export type Counts = Record<string, number>;

/** The first line. `createdAt` is in epoch milliseconds; `counts` is what was there when it was begun. */
export interface Header {
	format: 'snug-backup';
	version: number;
	databaseVersion: number;
	createdAt: number;
	counts: Counts;
}

export interface Line {
	table: BackupTable;
	row: unknown;
}

/** The last line. `sha256` is that of all lines before, with their line feeds, in lower-case hex. */
export interface End {
	end: true;
	counts: Counts;
	sha256: string;
}

export type BackupTable = { [N in TableName]: (typeof tables)[N] extends { backup: Exclude<BackupRule, 'former'> } ? N : never }[TableName];

/** The tables of a backup: those whose definition has a rule for it. */
export const backupTables = tablesWhere(({ backup }) => backup !== undefined && backup !== 'former') as BackupTable[];

/** The tables whose rows are written with their session, in this order: those whose rows go with one. */
export const tablesOfSession = tablesWhere(({ purge, backup }) => purge !== undefined && backup !== undefined) as BackupTable[];

/** Returns the session that a row belongs to, if it is of a table with sessions' rows and says so. */
export function sessionOf(table: BackupTable, row: unknown): string | undefined {
	if (!tablesOfSession.includes(table)) return undefined;
	const id = (row as Record<string, unknown> | null)?.[table === 'sessions' ? 'id' : 'sessionId'];
	return typeof id === 'string' ? id : undefined;
}

/** Tables of older backups, whose rows are passed over. */
export const formerTables = tablesWhere(({ backup }) => backup === 'former');

/**
 * Settings that say something of one browser, not of the user. Where answers come from is among them: who makes a file must not be
 * able to have what is said next sent to them. What models may call, and how often, is among them. A rule of retention is among them: one that comes with a
 * file would remove the old sessions that the file was restored for.
 */
export const settingsOfOneBrowser: ReadonlySet<SettingName> = new Set<SettingName>([
	'source',
	'tools',
	'allowedTools',
	'maxSteps',
	'persistence',
	'retention',
	'retentionSeen',
	'retentionCheckedAt',
	'lastBackup',
	'backupRemindedAt',
	'processorOnly'
]);

/** The file name of a backup that is made at `now`: the day is the user's. */
export function backupName(now: number): string {
	const at = new Date(now);
	const two = (number: number) => String(number).padStart(2, '0');
	return `snug-backup-${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.jsonl.gz`;
}
