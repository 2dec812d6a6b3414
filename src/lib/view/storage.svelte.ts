import { app } from '../app';
import { conversations } from '../app/conversations';
import { AppError } from '../shared/app-error';
import type { Provider } from '../storage/providers';
import type { Candidate } from '../storage/retention';
import type { RetentionRule, Setting } from '../storage/settings';
import type { Snapshot } from '../storage/snapshots';
import type { TrashItem } from '../storage/trash';
import { cleanupUndoMilliseconds, undoMilliseconds } from '../storage/undo';
import type { Usage } from '../storage/usage';
import type { BackupSummary, Offers } from '../transfer/backup/restore';
import type { LeftOut } from '../transfer/gate';
import { pickTarget, saveFile } from './backup-file.svelte';
import { Live } from './live.svelte';
import { notify, told } from './notices.svelte';
import { withoutLeaving } from './under-way.svelte';
import { bringBack } from './upkeep.svelte';

export type RemovedSession = Extract<TrashItem, { kind: 'session' }>;

/** What was decided about storage. */
const rows = new Live(async () => {
	const [retention, lastBackup, reminder, trash] = await Promise.all([
		app.settings.get('retention'),
		app.settings.get('lastBackup'),
		app.settings.get('backupReminder'),
		conversations.trash.list()
	]);
	// What was deleted by hand has its notice, for seconds, and more of them the more it was; what is kept for a week is listed.
	const removed = trash.filter((item): item is RemovedSession => item.kind === 'session' && item.purgeAt - item.at >= cleanupUndoMilliseconds);
	return { retention, lastBackup, reminds: reminder !== false, removed: removed.filter(({ begun }) => !begun) };
});

const index = new Live(() => app.search.progress());

let usage = $state.raw<Live<Usage>>();
let disk = $state.raw<{ persisted: boolean; usage: number; quota: number } | undefined>();
let asked = $state(false);
let snapshots = $state.raw<Snapshot[]>([]);

/** What the Storage page shows; each undefined while it is not known. */
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
		return rows.current?.removed;
	},
	get usage() {
		return usage?.current;
	},
	/** What the browser says of the whole site: an estimate, in bytes, and whether it keeps it. */
	get disk() {
		return disk;
	},
	/** The browser was asked on this page, and said no. */
	get refused() {
		return asked && disk?.persisted === false;
	},
	/** How far the search index is; undefined also where there is none. */
	get index() {
		return index.current;
	},
	get snapshots() {
		return snapshots;
	}
};

/** Reads what no live query follows. To be called when the page opens, and when something big came or went. */
export async function refreshStorage(): Promise<void> {
	usage ??= new Live((await app.stored.openUsage()).measure);
	const [persisted, { usage: used = 0, quota = 0 }] = await Promise.all([navigator.storage.persisted(), navigator.storage.estimate()]);
	disk = { persisted, usage: used, quota };
	snapshots = await (await app.stored.openSnapshots()).list();
}

/** Asks the browser to keep this data when space runs short. */
export async function askToKeep(): Promise<void> {
	await app.settings.set('persistence', (await navigator.storage.persist()) ? 'granted' : 'denied');
	asked = true;
	await refreshStorage();
}

/** Has the search index made anew. */
export async function rebuildIndex(): Promise<void> {
	await app.search.rebuild();
	app.search.start();
}

/** What a rule takes now and within the next thirty days [A8]. The person has seen the rule then. */
export async function previewRule(rule: RetentionRule): Promise<Candidate[]> {
	const found = await app.cleanup.candidates(rule, app.clock() + 30 * 86_400_000);
	if (!(await app.settings.get('retentionSeen'))) await app.settings.set('retentionSeen', true);
	return found;
}

/** Switches a rule on, or with null off: then nothing goes by itself. It is applied the next time that the app starts. */
export async function setRule(rule: RetentionRule | null): Promise<void> {
	await app.settings.unset('retentionCheckedAt');
	await (rule ? app.settings.set('retention', rule) : app.settings.unset('retention'));
}

/** Removes sessions as the rule would, at once; they can be brought back for a week. */
export async function removeNow(ids: string[]): Promise<void> {
	const taken = await app.cleanup.run(ids);
	notify({
		text: taken.length === 1 ? 'Chat removed.' : `${taken.length.toLocaleString()} chats removed.`,
		action: { label: 'Undo', run: () => bringBack(taken) },
		milliseconds: undoMilliseconds
	});
}

/** Removes them for good. */
export async function forget(ids: string[]): Promise<void> {
	await app.cleanup.removeNow(ids);
	await refreshStorage();
}

export async function saveSnapshot({ name }: Snapshot): Promise<void> {
	await told(async () => {
		const file = await (await app.stored.openSnapshots()).file(name);
		saveFile(file, `snug-before-update-${name}`);
	});
}

export async function removeSnapshot({ name }: Snapshot): Promise<void> {
	await (await app.stored.openSnapshots()).remove(name);
	await refreshStorage();
}

/** What the page is busy with, or has found; `done` of `total` rows. */
export type BackupState =
	| { step: 'idle' }
	| { step: 'writing' | 'checking' | 'reading' | 'restoring'; done: number; total: number }
	| { step: 'saved'; where: 'file' | 'downloads'; leftOut: LeftOut[] }
	| { step: 'found'; file: File; summary: BackupSummary }
	| { step: 'restored'; summary: BackupSummary };

let current = $state.raw<BackupState>({ step: 'idle' });
let problem = $state<string | undefined>();
let working: AbortController | undefined;

export const backup = {
	get state(): BackupState {
		return current;
	},
	/** Why the last of it did not succeed. */
	get problem(): string | undefined {
		return problem;
	}
};

/** Cancels what runs, or puts away what was found. */
export function cancelBackup(): void {
	working?.abort();
	current = { step: 'idle' };
}

export function setReminder(on: boolean): Promise<void> {
	return on ? app.settings.unset('backupReminder') : app.settings.set('backupReminder', false);
}

/** Writes a backup where the person says, or among the downloads where the browser does not ask, and reads it back. */
export function makeBackup(): Promise<void> {
	return attempt(async (signal) => {
		const name = await app.backup.name();
		const target = await pickTarget(name);
		if (target === 'cancelled') return { step: 'idle' };
		const options = { signal, onProgress: (step: 'writing' | 'checking', done: number, total: number) => (current = { step, done, total }) };
		current = { step: 'writing', done: 0, total: 0 };
		const made = target ? { checked: await app.backup.save(target, options) } : await app.backup.create(options);
		const { bytes, counts, leftOut } = made.checked;
		if ('file' in made) saveFile(made.file, name);
		if (leftOut.length === 0) await app.settings.set('lastBackup', { at: app.clock(), bytes, counts, verified: true });
		return { step: 'saved', where: target ? 'file' : 'downloads', leftOut };
	});
}

/** Reads a file to its end and says what is in it; writes nothing. */
export function openBackup(file: File): Promise<void> {
	return attempt(async (signal) => {
		current = { step: 'reading', done: 0, total: 0 };
		const onProgress = (done: number, total: number) => (current = { step: 'reading', done, total });
		return { step: 'found', file, summary: await app.backup.inspect(file, { signal, onProgress }) };
	});
}

export function restoreBackup(file: File): Promise<void> {
	return attempt(async (signal) => {
		current = { step: 'restoring', done: 0, total: 0 };
		const onProgress = (done: number, total: number) => (current = { step: 'restoring', done, total });
		return { step: 'restored', summary: await app.backup.restore(file, { signal, onProgress }) };
	});
}

/** Takes one server or setting of the file that was restored, and takes it off the list. */
export async function acceptOffer(offer: { server: Provider } | { setting: Setting }): Promise<void> {
	const servers = 'server' in offer ? [offer.server] : [];
	const settings = 'setting' in offer ? [offer.setting] : [];
	await app.backup.accept({ servers, settings });
	if (current.step !== 'restored') return;
	const { summary } = current;
	const left: Offers = {
		servers: summary.offers.servers.filter((server) => !servers.includes(server)),
		settings: summary.offers.settings.filter((setting) => !settings.includes(setting))
	};
	current = { step: 'restored', summary: { ...summary, offers: left } };
}

async function attempt(work: (signal: AbortSignal) => Promise<BackupState>): Promise<void> {
	const controller = new AbortController();
	working = controller;
	problem = undefined;
	try {
		const next = await withoutLeaving(work(controller.signal));
		if (!controller.signal.aborted) current = next;
	} catch (error) {
		if (controller.signal.aborted) return;
		current = { step: 'idle' };
		if (!(error instanceof AppError)) throw error;
		problem = error.message;
	} finally {
		await refreshStorage();
	}
}
