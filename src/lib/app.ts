import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Boundary, StrategyName } from './conversation/boundary';
import type { ContextOverrides } from './conversation/context-settings';
import { filesOf, textOf, type FilePart, type Usage } from './conversation/message';
import type { Session, Surface } from './conversation/session';
import { titleFrom } from './conversation/title';
import type { Tree } from './conversation/tree';
import { resolveAnswerSource, type AnswerSource } from './engine/answer-source';
import type { Cleanup } from './engine/cleanup';
import { findDefaultWeights, type DefaultWeights } from './engine/local/default-weights';
import type { Compacted, Compactor, Proposal, ProposeOptions } from './engine/compactor';
import type { ContextPlanner, Unsent } from './engine/context-planner';
import type { ContextView } from './engine/context-view';
import { LiveTurns } from './engine/live-turns';
import { OnDevice } from './engine/on-device';
import type { Server } from './engine/server-failure';
import { pageReach } from './engine/server-reach';
import type { LocalServer } from './engine/servers';
import type { Turns } from './engine/turns';
import { Writers, type Writer } from './engine/writers';
import { answeringSessions, whenNothingAnswers } from './locks/answering';
import { heldFiles, holdFile } from './locks/files';
import { SearchClient } from './search/client';
import type { SearchOptions } from './search/hit';
import { AppError } from './shared/app-error';
import { systemClock } from './shared/clock';
import { ConnectionFailure } from './shared/egress';
import { newId } from './shared/id';
import { AnswerTails } from './storage/answer-tails';
import { Answers, type UnfinishedAnswer } from './storage/answers';
import { Attachments } from './storage/attachments';
import { Boundaries } from './storage/boundaries';
import { Changes } from './storage/changes';
import { compactionMarks, type MarkedRange } from './storage/compaction-marks';
import { readContext, type ContextRows } from './storage/context-rows';
import { Contexts } from './storage/contexts';
import { Database } from './storage/database';
import { Drafts } from './storage/drafts';
import { Messages, type Stretch } from './storage/messages';
import { Models } from './storage/models';
import { Providers, type Provider } from './storage/providers';
import { redact } from './storage/redact';
import { Scratchpad } from './storage/scratchpad';
import type { SearchProgress } from './storage/search-rows';
import { Sessions } from './storage/sessions';
import { Settings, type RetentionRule } from './storage/settings';
import { explainStorageFailure } from './storage/storage-failure';
import { Trash } from './storage/trash';
import { Trees } from './storage/trees';
import { TurnStore } from './storage/turn-store';
import type { CreateOptions, SaveTarget } from './transfer/backup/create';
import type { Offers, ReadOptions } from './transfer/backup/restore';

/** The rows of one session that a transcript draws. */
export interface ConversationRows extends Stretch {
	session: Session | undefined;
	tree: Tree | undefined;
}

/** The unfinished answer of a session, and how many messages the session has at that moment. */
export interface UnfinishedRows {
	answer: UnfinishedAnswer | undefined;
	messageCount: number;
}

/**
 * Which part of a session is drawn: the newest or the oldest `limit` messages of the path to the head, or to `at`. `offset` is
 * how many of the oldest are left out.
 */
export interface Excerpt {
	from: 'newest' | 'oldest';
	limit: number;
	offset?: number;
	at?: string | undefined;
}

const clock = systemClock;
const db = new Database();
const sessions = new Sessions(db);
const messages = new Messages(db);
const trees = new Trees(db);
const trash = new Trash(db);
const drafts = new Drafts(db);
const answers = new Answers(db);
const tails = new AnswerTails(() => localStorage);
const scratchpad = new Scratchpad(db);
const attachments = new Attachments(db);
const boundaries = new Boundaries(db);
const contexts = new Contexts(db);
const changes = new Changes(db);
const settings = new Settings(db);
const providers = new Providers(db);
const models = new Models(db);

const onDevice = new OnDevice(async () => {
	const [{ ModelFiles }, { WllamaEngine }] = await Promise.all([
		import('./engine/local/model-files'),
		import('./engine/local/wllama-engine')
	]);
	const files = new ModelFiles({
		table: models,
		storage: navigator.storage,
		locks: navigator.locks,
		clock,
		newId,
		createWorker: () => new Worker(new URL('./engine/local/model-files-worker.ts', import.meta.url), { type: 'module' })
	});
	return { files, engine: new WllamaEngine(wasmUrl) };
});

let weights: Promise<DefaultWeights | undefined> | undefined;

/** How long a host that did not say whether it offers weights is taken for one without, in milliseconds. */
const askAgainAfter = 30_000;

/** The weights that the host offers beside this copy of the app; asked for once, unless the host is silent. */
function defaultWeights(): Promise<DefaultWeights | undefined> {
	return (weights ??= findDefaultWeights(new URL(import.meta.env.BASE_URL, location.href).href).catch((error: unknown) => {
		if (!(error instanceof ConnectionFailure)) throw error;
		setTimeout(() => (weights = undefined), askAgainAfter);
		return undefined;
	}));
}

async function answerSource(): Promise<AnswerSource> {
	const [chosen, here, servers] = await Promise.all([settings.get('source'), models.list(), providers.list()]);
	const known = resolveAnswerSource(chosen, here, servers, undefined);
	// The host may be slow or silent, so it is asked only where there is nothing else.
	return known.kind === 'none' ? resolveAnswerSource(chosen, here, servers, await defaultWeights()) : known;
}

/** A server with the key that it asks for. */
async function withKey(provider: Provider): Promise<Server> {
	const apiKey = await providers.keyOf(provider.id);
	return { ...provider, ...(apiKey ? { apiKey } : {}) };
}

async function openModel(source: AnswerSource, signal: AbortSignal): Promise<LanguageModelV4> {
	if (source.kind === 'server') {
		const { openServer } = await import('./engine/providers/openai-compatible');
		return openServer(await withKey(source.provider), source.model, { reach: pageReach() });
	}
	if (source.kind === 'none') throw new AppError('no-source', 'No model is chosen yet. Choose one first.');
	return onDevice.answerer(source, signal);
}

const surface: Surface = matchMedia('(display-mode: standalone)').matches ? 'pwa' : 'web';
const search = new SearchClient(() => new Worker(new URL('./search/search-worker.ts', import.meta.url), { type: 'module', name: 'search' }));
const writers = new Writers({ locks: navigator.locks, trees, settle });
const live = new LiveTurns({ channel: new BroadcastChannel('snug-turns'), surface });

/**
 * Settles what the last writer of a session left. Where the store refuses, the session can be opened all the same: what was
 * left stays for the next time.
 */
async function settle({ sessionId, fence }: Writer, stolen: boolean): Promise<void> {
	const [seen, tail] = [live.seen(sessionId), tails.get(sessionId)];
	const stopReason = stolen ? 'Interrupted: another tab took over.' : 'Interrupted: the tab was closed or reloaded.';
	try {
		await new TurnStore(db, fence).settle(sessionId, { ...(seen && { seen }), ...(tail && { tail }), stopReason });
		tails.remove(sessionId);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
	}
}

/** Writes down what pages left of answers when they went, unless another tab is at it. */
async function settleTails(): Promise<void> {
	for (const sessionId of tails.sessionIds()) (await writers.open(sessionId))?.release();
}

let planner: Promise<ContextPlanner> | undefined;

/** What decides what the model is sent. Loaded when something is sent, or looked into. */
function openPlanner(): Promise<ContextPlanner> {
	return (planner ??= Promise.all([import('./engine/context-planner'), import('./engine/token-counts')]).then(
		([{ ContextPlanner }, { TokenCounts }]) =>
			new ContextPlanner({
				db,
				clock,
				counts: new TokenCounts(),
				running: (source) => onDevice.windowOf(source),
				modelFile: (model) => onDevice.file(model)
			})
	));
}

const compactedListeners = new Set<(compacted: Compacted) => void>();
let compactor: Promise<Compactor> | undefined;

function openCompactor(): Promise<Compactor> {
	return (compactor ??= Promise.all([import('./engine/compactor'), openPlanner()]).then(([{ Compactor }, planner]) => {
		return new Compactor({
			db,
			clock,
			newId,
			writers,
			planner,
			source: answerSource,
			openModel,
			// No one keeps a memory yet that would have to take something down first [S10].
			beforeBoundary: () => Promise.resolve(),
			onCompacted: (compacted) => {
				for (const listener of compactedListeners) listener(compacted);
			}
		});
	}));
}

/**
 * After a turn: what its prompt took is learnt from, and the conversation is compacted if it is due [A11]. Where the store
 * refuses, that is tried again after the next turn; nothing that a person wrote is in it.
 */
async function afterTurn(sessionId: string, sent: ContextView, usage: Usage): Promise<void> {
	const [planner, compactor] = await Promise.all([openPlanner(), openCompactor()]);
	try {
		await planner.learn(sent, usage);
	} catch (error) {
		const failure = explainStorageFailure(error);
		if (!(failure instanceof AppError)) throw failure;
	}
	await compactor.afterTurn(sessionId);
}

let turns: Promise<Turns> | undefined;

/** The turns of this tab. Loaded when first needed: there is much to read before anything is asked. */
function openTurns(): Promise<Turns> {
	return (turns ??= Promise.all([import('./engine/turns'), openPlanner()]).then(([{ Turns }, planner]) => {
		const turns = new Turns({
			db,
			locks: navigator.locks,
			writers,
			newId,
			clock,
			surface,
			source: answerSource,
			openModel,
			planner,
			beforeTurn: async () => (await compactor)?.giveWay(),
			afterTurn: (sessionId, sent, usage) => void afterTurn(sessionId, sent, usage),
			publish: (sessionId, event) => live.publish(sessionId, event),
			tails
		});
		addEventListener('pagehide', () => turns.leave());
		document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && turns.leave());
		return turns;
	}));
}

/**
 * Exactly what the next turn of a session would send, along the path to the head or to `at`, as JSON. Throws AppErrors
 * where there is no session, or no source.
 */
async function payload(sessionId: string, unsent?: Unsent, at?: string): Promise<string> {
	const [planner, source, rows, { toPrompt }] = await Promise.all([
		openPlanner(),
		answerSource(),
		readContext(db, sessionId, at),
		import('./engine/prompt')
	]);
	if (!rows) throw new AppError('session-absent', `There is no session ${sessionId} in this browser.`);
	const { items, ...plan } = (await planner.view(rows, source, unsent)).plan;
	const files = await attachments.getMany(items.flatMap((item) => filesOf(item).map(({ attachmentId }) => attachmentId)));
	const prompt = await toPrompt({ ...plan, items }, files);
	if (source.kind === 'server') {
		const [{ openServer }, { requestBody }] = await Promise.all([import('./engine/providers/openai-compatible'), import('./engine/payload')]);
		// Without the key: what is shown is the body, which does not hold it.
		const body = await requestBody((fetch) => openServer(source.provider, source.model, { reach: pageReach(), fetch }), prompt);
		return JSON.stringify(JSON.parse(body), null, '\t');
	}
	const { toMessages } = await import('./engine/providers/on-device');
	return JSON.stringify(toMessages(prompt).messages, null, '\t');
}

/**
 * What a transcript of the session draws, all of one moment. Reads only rows, so that a live query can follow it; none that is
 * written while somebody types or an answer streams.
 */
function conversation(id: string, { from, ...range }: Excerpt): Promise<ConversationRows> {
	return db.transaction('r', db.sessions, db.trees, db.messages, async () => {
		const [session, tree] = await Promise.all([db.sessions.get(id), db.trees.get(id)]);
		if (!session) return { session, tree, path: [], siblings: new Map(), end: undefined };
		const stretch = from === 'newest' ? await messages.newestStretch(id, range) : await messages.oldestStretch(id, range);
		return { session, tree, ...stretch };
	});
}

/** What is known of an answer that is not a message yet. Reads only rows, so that a live query can follow it. */
function unfinishedAnswer(id: string): Promise<UnfinishedRows> {
	return db.transaction('r', db.sessions, db.answers, async () => {
		const [session, answer] = await Promise.all([db.sessions.get(id), answers.get(id)]);
		return { answer, messageCount: session?.messageCount ?? 0 };
	});
}

/** The session as a file [A13]. Throws an AppError if it is not there. */
async function exportSession(id: string, format: 'markdown' = 'markdown'): Promise<{ name: string; text: string }> {
	if (format !== 'markdown') throw new AppError('export-format', `There is no export format “${String(format)}”. Use “markdown”.`);
	const { exportMarkdown, exportName } = await import('./transfer/export/markdown');
	const session = await sessions.get(id);
	const head = await messages.headOf(id);
	if (!session || !head) throw new AppError('session-absent', `There is no session ${id} in this browser.`);
	return { name: exportName(session), text: exportMarkdown(session, await messages.all(id), head.id) };
}

/** Asks a server for its models and keeps it, under the address where it was found. Throws AppErrors; then nothing is kept. */
async function connectServer({ baseUrl, apiKey, name }: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	const [{ normaliseBaseUrl }, { listModels }] = await Promise.all([import('./shared/server-address'), import('./engine/servers')]);
	const url = normaliseBaseUrl(baseUrl);
	const server = { name: name ?? new URL(url).host, baseUrl: url };
	const saved = await providers.list();
	const before = saved.find((provider) => provider.baseUrl === url);
	const key = apiKey || (before && (await providers.keyOf(before.id)));
	const found = await listModels({ ...server, ...(key ? { apiKey: key } : {}) }, { reach: pageReach() });
	const known = saved.find((provider) => provider.baseUrl === found.baseUrl);
	const provider: Provider = { ...(known ?? { id: newId(), createdAt: clock() }), ...server, baseUrl: found.baseUrl };
	await providers.put(provider, apiKey || undefined);
	return { provider, models: found.models };
}

/** Keeps a file and returns the part that a message has of it [S11]. Throws an AppError that names the file; then nothing is kept. */
async function attachFile(file: File): Promise<FilePart> {
	const { attachFile: attach } = await import('./engine/attach-file');
	return attach(file, { attachments, clock });
}

/** Names a session, on one line; an empty name returns it to the title that what was asked first gives, or to none [S2]. */
async function renameSession(id: string, name: string): Promise<void> {
	const title = name.replace(/\s+/g, ' ').trim();
	if (title !== '') return sessions.update(id, { title, titledBy: 'person' });
	await db.transaction('rw', db.sessions, db.messages, db.trees, async () => {
		const { path } = await messages.oldestStretch(id, { limit: 4 });
		const answered = path.some(({ role }) => role === 'assistant');
		const asked = path.filter(({ role }) => role === 'user').map((message) => titleFrom(textOf(message)));
		await sessions.update(id, { title: (answered && asked.find((title) => title !== '')) || '', titledBy: 'snug' });
	});
}

/** What the person says of a server. */
export interface ServerAddress {
	baseUrl: string;
	apiKey?: string;
	name?: string;
}

/**
 * Asks the browser, once, to keep this data when space runs short, and keeps its answer. Called after the first send,
 * when there is something to keep; a reminder of a backup comes a week later at the earliest.
 */
async function askPersistence(): Promise<void> {
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
	messages,
	trees,
	trash,
	drafts,
	answers,
	scratchpad,
	attachments,
	settings,
	providers,
	models,
	onDevice,
	writers,
	live,
	openTurns,
	surface,
	newId,
	clock,
	defaultWeights,
	conversation,
	unfinishedAnswer,
	exportSession,
	connectServer,
	attachFile,
	/** Keeps a file from being swept that no row names yet, until the returned function is called. */
	holdFile: (attachmentId: string) => holdFile(navigator.locks, attachmentId),
	findLocalServers: async (): Promise<LocalServer[]> => (await import('./engine/servers')).probeLocal({ reach: pageReach() }),
	askPersistence,
	/** The sessions that are being answered now, in any tab. */
	answering: () => answeringSessions(navigator.locks),
	whenNothingAnswers: () => whenNothingAnswers(navigator.locks),

	/** Takes sessions out of every list; `trash.restore` brings them back for a while [A14]. */
	deleteSessions: (ids: string[], keepFor?: number) => trash.deleteSessions(ids, clock(), keepFor),
	renameSession,
	/** What follows changes the tree of a session, so it throws an AppError where another tab has that open. */
	moveHead: (sessionId: string, messageId: string) => writers.asWriter(sessionId, (fence) => trees.moveHead(sessionId, messageId, fence)),
	stepTo: (sessionId: string, messageId: string) => writers.asWriter(sessionId, (fence) => trees.stepTo(sessionId, messageId, fence)),
	label: (sessionId: string, messageId: string, label: string) =>
		writers.asWriter(sessionId, (fence) => trees.label(sessionId, messageId, label, fence)),
	setMain: (sessionId: string, tipId: string | null) => writers.asWriter(sessionId, (fence) => trees.setMain(sessionId, tipId, fence)),
	/** Resolves with the id of what `trash.restore` brings back. */
	removeBranch: (sessionId: string, messageId: string) =>
		writers.asWriter(sessionId, (fence) => trees.removeBranch(sessionId, messageId, clock(), fence)),
	redact: (sessionId: string, messageId: string) => writers.asWriter(sessionId, (fence) => redact(db, messageId, clock(), fence)),

	/**
	 * What the model sees of a session [S7]. Pinning and excluding throw an AppError where another tab has the session open;
	 * its settings can be changed from any tab.
	 */
	context: {
		/** Reads rows only, so that a live query can follow it. */
		rows: (sessionId: string, at?: string) => readContext(db, sessionId, at),
		/** What the next turn would send, and why, with what was not sent yet as its last message. */
		view: async (rows: ContextRows, unsent?: Unsent): Promise<ContextView> => {
			const [planner, source] = await Promise.all([openPlanner(), answerSource()]);
			return planner.view(rows, source, unsent);
		},
		payload,
		pin: (sessionId: string, messageId: string, wanted: boolean) =>
			writers.asWriter(sessionId, (fence) => contexts.pin(sessionId, messageId, wanted, fence)),
		exclude: (sessionId: string, messageId: string, wanted: boolean) =>
			writers.asWriter(sessionId, (fence) => contexts.exclude(sessionId, messageId, wanted, fence)),
		setSession: (sessionId: string, overrides: ContextOverrides) => contexts.setOverrides(sessionId, overrides),
		setPersona: async (persona: string, overrides: ContextOverrides): Promise<void> => {
			const all = await settings.get('contextByPersona');
			await settings.set('contextByPersona', { ...all, [persona]: overrides });
		},
		setEverywhere: (overrides: ContextOverrides) => settings.set('context', overrides)
	},
	/** As in `Compactor`, which is loaded when it is needed. */
	compaction: {
		propose: async (sessionId: string, strategy?: StrategyName, options?: ProposeOptions) =>
			(await openCompactor()).propose(sessionId, strategy, options),
		figures: async (proposal: Proposal, summary: string) => (await openCompactor()).figures(proposal, summary),
		accept: async (proposal: Proposal, summary: string) => (await openCompactor()).accept(proposal, summary),
		undo: async (boundaryId: string) => (await openCompactor()).undo(boundaryId),
		redo: async (boundary: Boundary) => (await openCompactor()).redo(boundary),
		/** Reads rows only, so that a live query can follow it. */
		ofSession: (sessionId: string) => boundaries.ofSession(sessionId),
		/** As `compactionMarks`; reads rows only. */
		marks: (sessionId: string, range: MarkedRange) => compactionMarks(db, sessionId, range),
		/** Calls `listener` after each compaction that was made by itself, until the returned function is called. */
		onCompacted: (listener: (compacted: Compacted) => void): (() => void) => {
			compactedListeners.add(listener);
			return () => compactedListeners.delete(listener);
		}
	},
	/** Everything that was said, in every branch, and titles, labels and notes [E7]. */
	search: {
		/** Rejects with an AppError where the index can't be read. */
		find: (text: string, options?: SearchOptions) => search.search(text, options),
		/** Starts what keeps the index in step with what is stored, unless it runs. */
		start: () => void search.start(),
		/** Where the words of a search are in a text; `corrections` are what was taken in the place of words that are nowhere. */
		marker: async (text: string, corrections?: string[]) => (await import('./search/marks')).marker(text, corrections),
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
	/** Everything but keys and model files in one file [P2]. */
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
	/** The message that a node such as `n3`, a label or an id names, to go on from [Z9]. */
	findNode: async (sessionId: string, text: string) => (await import('./storage/outline')).resolveNode(db, sessionId, text),
	/** The tree as nodes, to be drawn or printed. Loaded beforehand, so that a live query can follow `read`. */
	openOutline: async () => {
		const { outline } = await import('./storage/outline');
		return { read: (sessionId: string) => outline(db, sessionId) };
	},
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
	/** Removes what was deleted and can't be brought back any more, and files that nothing uses; keeps what pages left. */
	purge: async (): Promise<void> => {
		await settleTails();
		await trash.purge(clock());
		await attachments.sweep(clock(), await heldFiles(navigator.locks));
	}
};
