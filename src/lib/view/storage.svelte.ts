import { app } from '../app';
import { conversations } from '../app/conversations';
import { search } from '../app/search';
import type { Snapshot } from '../storage/snapshots';
import type { RetentionRule } from '../storage/tables/settings';
import type { TrashItem } from '../storage/tables/trash';
import { cleanupUndoMilliseconds } from '../storage/undo';
import { saveFile } from './save-file';
import { Live } from './live.svelte';
import { Measured } from './measured.svelte';
import { reportFailure } from './notices.svelte';

export type RemovedSession = Extract<TrashItem, { kind: 'session' }>;

/** The user's decisions about storage. */
const rows = new Live(async () => {
	const [retention, lastBackup, reminder] = await Promise.all([app.settings.get('retention'), app.settings.get('lastBackup'), app.settings.get('backupReminder')]);
	return { retention, lastBackup, reminds: reminder !== false };
});

const removed = new Measured(['trash'], async () => {
	// What was deleted by hand has its notice, for seconds, and more of them the more it was; what is kept for a week is listed.
	const isListed = (item: TrashItem): item is RemovedSession => item.kind === 'session' && !item.begun && item.purgeAt - item.at >= cleanupUndoMilliseconds;
	return (await conversations.trash.list()).filter(isListed);
});

const index = new Live(() => search.progress());

const usage = new Measured(['attachments', 'attachmentUses', 'sessions', 'trash', 'models', 'searchState'], async () => (await app.openMeasures()).usage());
let disk = $state.raw<{ persisted: boolean; usage: number; quota: number } | undefined>();
let asked = $state(false);
let hasFolderFiles = $state(false);
let snapshots = $state.raw<Snapshot[]>([]);

/** Figures of the page Storage; each undefined while it is not known. */
export const storage = {
	/** The rule that is on; null where none is. */
	get rule(): RetentionRule | null | undefined {
		return rows.current && (rows.current.retention ?? null);
	},
	get lastBackup() {
		return rows.current?.lastBackup;
	},
	get reminds() {
		return rows.current?.reminds;
	},
	/** The chats that a rule, `/cleanup` or a backup put into the trash for a week, newest first. */
	get removed() {
		return removed.current;
	},
	get usage() {
		return usage.current;
	},
	/** The browser's estimate for the whole site, in bytes, and whether it keeps it. */
	get disk() {
		return disk;
	},
	/** The browser was asked on this page, and said no. */
	get refused() {
		return asked && disk?.persisted === false;
	},
	/** Progress of the search index; undefined also where there is none. */
	get index() {
		return index.current;
	},
	/** There are files in Snug’s folders, which are in no backup. */
	get hasFolderFiles() {
		return hasFolderFiles;
	},
	get snapshots() {
		return snapshots;
	}
};

/** Reads what no live query follows. To be called when the page opens, and when something big came or went. */
export async function refreshStorage(): Promise<void> {
	const measures = await app.openMeasures();
	const [persisted, { usage: used = 0, quota = 0 }] = await Promise.all([navigator.storage.persisted(), navigator.storage.estimate()]);
	disk = { persisted, usage: used, quota };
	hasFolderFiles = await measures.hasFolderFiles();
	snapshots = await measures.snapshots.list();
}

/** Asks the browser to keep this data when space runs short. */
export async function askToKeep(): Promise<void> {
	await app.settings.set('persistence', (await navigator.storage.persist()) ? 'granted' : 'denied');
	await refreshStorage();
	asked = true;
}

/** Discards the search index, so that it is rebuilt. */
export async function rebuildIndex(): Promise<void> {
	await search.rebuild();
	search.start();
}

export async function saveSnapshot({ name }: Snapshot): Promise<void> {
	await reportFailure(async () => {
		const file = await (await app.openMeasures()).snapshots.file(name);
		saveFile(file, `snug-before-update-${name}`);
	});
}

export async function removeSnapshot({ name }: Snapshot): Promise<void> {
	await (await app.openMeasures()).snapshots.remove(name);
	await refreshStorage();
}
