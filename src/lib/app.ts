import { attachments, clock, db, defaultWeights, models, onDevice, providers, sessions, settings, useMark, writers } from './app/environment';
import type { FilePart } from './conversation/message';
import type { Cleanup } from './engine/cleanup';
import type { ServerAddress } from './engine/providers/connect-server';
import { pageReach } from './engine/providers/server-reach';
import type { LocalServer } from './engine/providers/servers';
import { answeringSessions, whenNothingAnswers } from './locks/answering';
import { holdFile } from './locks/files';
import { SearchClient } from './search/client';
import type { SearchOptions, SearchResult } from './search/hit';
import type { AppError } from './shared/app-error';
import { newId } from './shared/id';
import { Changes } from './storage/changes';
import { Drafts } from './storage/drafts';
import type { Provider } from './storage/tables/providers';
import type { SearchProgress } from './storage/tables/search-state';
import type { RetentionRule } from './storage/tables/settings';
import type { CreateOptions, SaveTarget } from './transfer/backup/create';
import type { Offers, ReadOptions } from './transfer/backup/restore';

const drafts = new Drafts(db);
const changes = new Changes(db);
const search = new SearchClient(() => new Worker(new URL('./search/search-worker.ts', import.meta.url), { type: 'module', name: 'search' }));

/** As `connectServer`, which is loaded when it is needed. */
async function connectServer(address: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	const { connectServer: connect } = await import('./engine/providers/connect-server');
	return connect(address, { providers, reach: pageReach(), newId, clock });
}

/** Keeps a file and returns the part that a message has of it [S11]. Throws an AppError that names the file; then nothing is kept. */
async function attachFile(file: File): Promise<FilePart> {
	const { attachFile: attach } = await import('./engine/attachments/attach-file');
	return attach(file, { attachments, clock });
}

/**
 * Remembers that something is stored, and asks the browser, once, to keep this data when space runs short, and keeps its answer. Called after the first send,
 * when there is something to keep; a reminder of a backup comes a week later at the earliest.
 */
async function askPersistence(): Promise<void> {
	useMark.set();
	if (await settings.get('persistence')) return;
	// Days of use count from here: what was imported may be older.
	await settings.set('backupRemindedAt', clock());
	await settings.set('persistence', (await navigator.storage.persist()) ? 'granted' : 'denied');
}

/** What grows too old or too large goes into the trash for a week [A8]. */
async function cleanup(): Promise<Cleanup> {
	const { Cleanup } = await import('./engine/cleanup');
	return new Cleanup({ db, locks: navigator.locks, clock });
}

/** Snug without a face: what the screens, the scripting surface and the tests call. */
export const app = {
	sessions,
	drafts,
	attachments,
	settings,
	providers,
	models,
	onDevice,
	writers,
	newId,
	clock,
	defaultWeights,
	connectServer,
	attachFile,
	/** Keeps a file from being swept that no row names yet, until the returned function is called. */
	holdFile: (attachmentId: string) => holdFile(navigator.locks, attachmentId),
	findLocalServers: async (): Promise<LocalServer[]> => (await import('./engine/providers/servers')).probeLocal({ reach: pageReach() }),
	askPersistence,
	/** The sessions that are being answered now, in any tab. */
	answering: () => answeringSessions(navigator.locks),
	whenNothingAnswers: () => whenNothingAnswers(navigator.locks),
	/** All that is done with what is in a session; what is drawn before one is opened loads it so. */
	openConversations: async () => (await import('./app/conversations')).conversations,

	/** Everything that was said, in every branch, and titles, labels and notes [E7]. */
	search: {
		/** Rejects with an AppError where the index can't be read. */
		find: (text: string, options?: SearchOptions) => search.search(text, options),
		/** Starts what keeps the index in step with what is stored, unless it runs. */
		start: () => void search.start(),
		/** Where the words of a search are in a text; `corrections` are what was taken in the place of words that are nowhere. */
		marker: async (text: string, corrections?: SearchResult['corrections']) => (await import('./search/marks')).marker(text, corrections),
		/** Reads rows only, so that a live query can follow it; undefined before there is an index. */
		progress: async (): Promise<SearchProgress | undefined> => {
			const row = await db.searchState.get('progress');
			return row?.name === 'progress' ? row : undefined;
		},
		/** Another number whenever something that can be found was written. Reads rows only, so that a live query can follow it. */
		lastChange: () => changes.lastSeq(),
		/** Throws the index away, so that it is made anew from what is stored. */
		rebuild: async () => (await import('./search/index-store')).discardIndex(db)
	},
	/** What all sessions took together [E9]. */
	totalUsage: async () => (await import('./storage/usage-totals')).totalUsage(db),
	/** As in `Cleanup`, which is loaded when it is needed. */
	cleanup: {
		preview: async (rule: { olderThanDays: number }) => (await cleanup()).preview(rule),
		candidates: async (rule: RetentionRule, until?: number) => (await cleanup()).candidates(rule, until),
		run: async (ids: string[]) => (await cleanup()).run(ids),
		removeNow: async (ids: string[]) => (await cleanup()).removeNow(ids),
		atStart: async () => (await cleanup()).atStart()
	},
	/** Everything but keys, model files and calibrations in one file [P2]. */
	backup: {
		name: async () => (await import('./transfer/backup/format')).backupName(clock()),
		/** The file, read back. */
		create: async (options?: Omit<CreateOptions, 'now'>) =>
			(await import('./transfer/backup/create')).createBackup(db, { ...options, now: clock() }),
		/** Writes the file, and reads it back from there. */
		save: async (target: SaveTarget, options?: Omit<CreateOptions, 'now'>) =>
			(await import('./transfer/backup/create')).saveBackup(db, target, { ...options, now: clock() }),
		inspect: async (file: Blob, options?: ReadOptions) => (await import('./transfer/backup/restore')).inspectBackup(db, file, options),
		restore: async (file: Blob, options?: ReadOptions) =>
			(await import('./transfer/backup/restore')).restoreBackup(db, file, { ...options, storage: navigator.storage }),
		/** Takes servers and settings of a backup, which restoring it only lists. */
		accept: async (offers: Offers) => (await import('./transfer/backup/restore')).acceptOffers(db, offers),
		isDue: async () => (await import('./transfer/backup/due')).backupIsDue(db, clock(), navigator.storage)
	},
	/** What takes up how much. Loaded beforehand, so that a live query can follow `measure`. */
	openUsage: async () => {
		const { measureUsage } = await import('./storage/usage');
		return { measure: () => measureUsage(db) };
	},
	/** The copies of all rows that were made before updates. */
	openSnapshots: async () => new (await import('./storage/snapshots')).Snapshots(),
	/**
	 * Rejects where nothing can be stored. Everything else opens the database by itself. `onObstacle` is told what keeps the
	 * database from being used, also later, and undefined when that is over; `onCopy` how much of the copy before an update is made,
	 * from 0 to 1, and undefined when there is none to make any more.
	 */
	open: async (onObstacle: (obstacle: AppError | undefined) => void, onCopy: (share: number | undefined) => void): Promise<void> => {
		db.onObstacle = onObstacle;
		db.onCopy = onCopy;
		await db.open();
	},
	/** Whether nothing was stored yet that would have to be looked after: no session, nothing deleted, unsent or attached. */
	isUnused: async (): Promise<boolean> => {
		const { sessions, trash, drafts, answers, attachments } = db;
		const found = await Promise.all([sessions, trash, drafts, answers, attachments].map((table) => table.limit(1).count()));
		return found.every((count) => count === 0);
	},
	/** Remembers that something is stored. */
	markUsed: () => useMark.set(),
	/** Tells whether the browser has removed all that was stored, and nothing was stored since. */
	wasEmptied: () => useMark.isOrphaned(db.isNew)
};
