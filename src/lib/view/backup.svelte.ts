import { app } from '../app';
import type { AppError } from '../shared/app-error';
import type { Provider } from '../storage/tables/providers';
import type { Setting } from '../storage/tables/settings';
import type { LeftOut } from '../transfer/gate/left-outs';
import type { ImportSummary } from '../transfer/imports/import-file';
import type { ReplacingSetting } from '../transfer/imports/offers';
import { importFormats } from '../transfer/imports/registry';
import { failureOf } from './attempt';
import { pickTarget } from './backup-file';
import { Live } from './live.svelte';
import { saveFile } from './save-file';
import { refreshStorage } from './storage.svelte';
import { withoutLeaving } from './under-way';

/** The step that the page is busy with, or what it has found; `done` of `total` rows. */
export type BackupState =
	| { step: 'idle' }
	| { step: 'writing' | 'checking' | 'reading' | 'restoring'; done: number; total: number }
	| { step: 'saved'; where: 'file' | 'downloads'; leftOut: LeftOut[] }
	| { step: 'found'; file: File; summary: ImportSummary }
	| { step: 'restored'; summary: ImportSummary };

/** The files that can be imported, as a file picker has them. */
export const importable = importFormats.flatMap(({ accept }) => accept).join(',');

let current = $state.raw<BackupState>({ step: 'idle' });
let failure = $state.raw<AppError | undefined>();
let working: AbortController | undefined;

export const backup = {
	get state(): BackupState {
		return current;
	},
	/** Reason why the last of it did not succeed. */
	get failure(): AppError | undefined {
		return failure;
	}
};

/** Returns what a file that comes by itself would break in on, as the end of a sentence; undefined where that is nothing. */
export function occupation(): string | undefined {
	if ('done' in current) return occupations[current.step];
	// The browser asks for a place to save.
	return working && occupations.writing;
}

/** Tells whether servers or settings of the file that was restored are listed. */
export function hasOffers(): boolean {
	return current.step === 'restored' && current.summary.offers.servers.length + current.summary.offers.settings.length > 0;
}

const occupations = {
	writing: 'a backup is being made',
	checking: 'a backup is being made',
	reading: 'another file is being read',
	restoring: 'another file is being restored'
};

/** Cancels what runs, or puts away what was found. */
export function cancelBackup(): void {
	working?.abort();
	working = undefined;
	current = { step: 'idle' };
}

export function setReminder(on: boolean): Promise<void> {
	return on ? app.settings.unset('backupReminder') : app.settings.set('backupReminder', false);
}

/** Writes a backup where the user says, or among the downloads where the browser does not ask, and reads it back. */
export function makeBackup(): Promise<void> {
	return advance(async (signal, show) => {
		const name = await (await app.openBackup()).name();
		const target = await pickTarget(name);
		if (target === 'cancelled') return { step: 'idle' };
		const options = { signal, onProgress: (step: 'writing' | 'checking', done: number, total: number) => show({ step, done, total }) };
		show({ step: 'writing', done: 0, total: 0 });
		const made = target ? { checked: await (await app.openBackup()).save(target, options) } : await (await app.openBackup()).create(options);
		const { bytes, counts, leftOut } = made.checked;
		if ('file' in made) saveFile(made.file, name);
		if (leftOut.length === 0) await app.settings.set('lastBackup', { at: app.clock(), bytes, counts, verified: true });
		return { step: 'saved', where: target ? 'file' : 'downloads', leftOut };
	});
}

/** Reads a file to its end and says what is in it; writes nothing. */
export function openImport(file: File): Promise<void> {
	return advance(async (signal, show) => {
		show({ step: 'reading', done: 0, total: 0 });
		const onProgress = (done: number, total: number) => show({ step: 'reading', done, total });
		return { step: 'found', file, summary: await (await app.openImports()).inspect(file, { signal, onProgress }) };
	});
}

export function runImport(file: File): Promise<void> {
	return advance(async (signal, show) => {
		show({ step: 'restoring', done: 0, total: 0 });
		const onProgress = (done: number, total: number) => show({ step: 'restoring', done, total });
		return { step: 'restored', summary: await (await app.openImports()).run(file, { signal, onProgress }) };
	});
}

/** Follows which of the settings of a file are otherwise here, and what is here. */
export function replacingSettings(offered: Setting[]): Live<Setting[], ReplacingSetting[]> {
	const read = async ({ name }: Setting) => ({ name, value: await app.settings.get(name) });
	return new Live(
		async () => (await Promise.all(offered.map(read))).flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }])),
		async (here) => (await app.openImports()).replacing(offered, here)
	);
}

/** Takes one server of the file that was restored, and takes it off the list. */
export async function acceptServer(server: Provider): Promise<void> {
	await (await app.openImports()).acceptOffers({ servers: [server], settings: [] });
	if (current.step !== 'restored') return;
	const { summary } = current;
	const servers = summary.offers.servers.filter((one) => one !== server);
	current = { step: 'restored', summary: { ...summary, offers: { ...summary.offers, servers } } };
}

/** Takes one setting of the file that was restored. The result brings back what it has replaced, and rejects where it has changed since. */
export async function acceptSetting(setting: Setting): Promise<() => Promise<void>> {
	const imports = await app.openImports();
	const taken = await imports.acceptOffers({ servers: [], settings: [setting] });
	return () => imports.putBackSettings(taken);
}

/** Does a step that can be cancelled, unless another goes on, and shows how far it is and what comes of it: until it is cancelled. */
async function advance(work: (signal: AbortSignal, show: (state: BackupState) => void) => Promise<BackupState>): Promise<void> {
	if (working) return;
	const controller = new AbortController();
	const show = (state: BackupState) => {
		if (working === controller) current = state;
	};
	working = controller;
	failure = undefined;
	try {
		show(await withoutLeaving(work(controller.signal, show)));
	} catch (error) {
		if (working !== controller) return;
		current = { step: 'idle' };
		failure = failureOf(error);
	} finally {
		if (working === controller) working = undefined;
		await refreshStorage();
	}
}
