import { AppError } from '../../shared/app-error';
import { systemClock } from '../../shared/clock';
import type { Database } from '../../storage/database';
import { definitions } from '../../storage/definitions';
import { Folders } from '../../storage/folders';
import { idsHere, idsWithin, tablesOfDeletions } from '../../storage/deletions';
import { withStorageErrors } from '../../storage/storage-failure';
import type { Deletion } from '../../storage/tables/deletions';
import type { Provider } from '../../storage/tables/providers';
import type { Setting } from '../../storage/tables/settings';
import { settingsOfOneBrowser } from '../backup/format';
import { admitRow, admitServer, keyIn } from '../gate/admit-row';
import type { Shared } from './admit';

/** Servers and settings of a file: each decides what is sent, or where to, so it is for the user to take it. */
export interface Offers {
	servers: Provider[];
	settings: Setting[];
}

/** A setting of a file, and the one here that it replaces. */
export interface ReplacingSetting {
	setting: Setting;
	/** Absent where none was set. */
	before?: Setting;
}

/** The most rows that are written in one transaction: others that write wait for it. */
const rowsAtOnce = 5000;

/** Writes what belongs to no session; servers and settings are only looked at. Throws the signal's reason when that aborts, between two transactions. */
export async function putShared(db: Database, shared: Shared, signal?: AbortSignal): Promise<Offers> {
	for (const [table, rows] of Object.entries(shared.missing)) {
		// Once, and in no transaction that others wait for: a trash may be large.
		const within = isOfTombstones(table) ? new Set([...(await idsWithin(db)), ...(await new Folders(db).sessionsWithFiles())]) : undefined;
		for (let at = 0; at < rows.length; at += rowsAtOnce) {
			signal?.throwIfAborted();
			await putMissing(db, table, rows.slice(at, at + rowsAtOnce), within);
		}
	}
	return offersOf(db, shared);
}

function isOfTombstones(table: string): boolean {
	return definitions.get(table)!.backup === 'where-gone';
}

/** Writes rows whose key is not here; tombstones, for which `within` is given, only of what is not here: a file deletes nothing. */
function putMissing(db: Database, table: string, rows: unknown[], within: ReadonlySet<string> | undefined): Promise<unknown> {
	return db.transaction('rw', [table, ...(within ? tablesOfDeletions : [])], async () => {
		const keys = (await db.table(table).toCollection().primaryKeys()) as unknown[];
		const kept = new Set(keys.map((key) => JSON.stringify([key].flat())));
		const added = rows.filter((row) => !kept.has(keyIn(table, row)));
		if (!within) return db.table(table).bulkPut(added);
		const here = await idsHere(db, added as Deletion[], within);
		return db.table(table).bulkPut((added as Deletion[]).filter(({ id }) => !here.has(id)));
	});
}

/** Returns those settings that are otherwise here, with what is here. */
export function replacing(settings: Setting[], here: Setting[]): ReplacingSetting[] {
	return settings.flatMap((setting) => {
		const before = here.find(({ name }) => name === setting.name);
		return isSame(setting, before) ? [] : [{ setting, ...(before && { before }) }];
	});
}

function isSame(one: Setting, other: Setting | undefined): boolean {
	return JSON.stringify(one.value) === JSON.stringify(other?.value);
}

/** The servers that are not here, and the settings that are otherwise here. */
export async function offersOf(db: Database, { providers, settings }: Pick<Shared, 'providers' | 'settings'>): Promise<Offers> {
	const [servers, keys, set] = await Promise.all([db.providers.toArray(), db.secrets.toCollection().primaryKeys(), db.settings.toArray()]);
	return {
		servers: providers.filter(({ id, baseUrl }) => !keys.includes(id) && !servers.some((server) => server.id === id || server.baseUrl === baseUrl)),
		settings: replacing(settings, set).map(({ setting }) => setting)
	};
}

/** Takes servers and settings that a file offered; what is no more on offer, or was never one, is passed over. Returns the settings that it took. */
export function acceptOffers(db: Database, offers: Offers): Promise<ReplacingSetting[]> {
	const servers = offers.servers.map((row) => admitServer(row, systemClock())).flatMap((admitted) => ('row' in admitted ? [admitted.row] : []));
	const settings = offers.settings.map((row) => admitRow('settings', row)).flatMap((admitted) => ('row' in admitted ? [admitted.row] : []));
	return withStorageErrors(
		db.transaction('rw', db.settings, db.providers, db.secrets, db.deletions, async () => {
			const open = await offersOf(db, { providers: servers, settings: settings.filter(({ name }) => !settingsOfOneBrowser.has(name)) });
			const back = open.servers.map(({ id }) => id);
			const before = await db.settings.bulkGet(open.settings.map(({ name }) => name));
			await Promise.all([db.providers.bulkPut(open.servers), db.settings.bulkPut(open.settings), db.deletions.bulkDelete(back)]);
			return open.settings.map((setting, index) => ({ setting, ...(before[index] && { before: before[index] }) }));
		})
	);
}

/** Brings back what settings that were taken have replaced. Throws an AppError (`setting-changed`) where one of them has changed since: then none comes back. */
export function putBackSettings(db: Database, taken: ReplacingSetting[]): Promise<void> {
	return withStorageErrors(
		db.transaction('rw', db.settings, async () => {
			for (const { setting, before } of taken) {
				if (!isSame(setting, await db.settings.get(setting.name))) throw new AppError('setting-changed', 'This setting has changed since, so it stays as it is.');
				await (before ? db.settings.put(before) : db.settings.delete(setting.name));
			}
		})
	);
}
