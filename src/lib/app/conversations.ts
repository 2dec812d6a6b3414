import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Boundary, StrategyName } from '../conversation/boundary';
import type { ContextOverrides } from '../conversation/context-settings';
import { filesOf, type Usage } from '../conversation/message';
import type { Session } from '../conversation/session';
import type { Unsent } from '../conversation/unsent';
import type { Compacted, Proposal, ProposeOptions } from '../engine/compaction/compactor';
import type { AnswerSource } from '../engine/providers/answer-source';
import type { ContextView } from '../engine/turns/context-view';
import type { ModelProfile } from '../engine/turns/model-profile';
import type { Writers } from '../engine/turns/writers';
import { heldFiles } from '../locks/files';
import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { lazy } from '../shared/lazy';
import { Boundaries } from '../storage/boundaries';
import { ChangeReaders } from '../storage/change-readers';
import { compactionMarks, type MarkedRange } from '../storage/compaction-marks';
import { readContext, type ContextRows } from '../storage/context-rows';
import { Contexts } from '../storage/contexts';
import { Messages } from '../storage/messages';
import { redact } from '../storage/redact';
import { renameSessionUnfenced } from '../storage/rename-session';
import { Scratchpad } from '../storage/scratchpad';
import { explainStorageFailure } from '../storage/storage-failure';
import { transcriptRows, unfinishedRows, type Excerpt } from '../storage/transcript-rows';
import { Trash } from '../storage/trash';
import { Trees } from '../storage/trees';
import type { ExportId } from '../transfer/exports/registry';
import { answerProviders } from './answer-providers';
import { attachments } from './attachments';
import { drafts } from './drafts';
import { answerSource, clock, db, settings } from './environment';
import { live, surface } from './live';
import { tails } from './settle';
import { writers } from './writers';

const messages = new Messages(db);
const trees = new Trees(db);
const trash = new Trash(db);
const scratchpad = new Scratchpad(db);
const boundaries = new Boundaries(db);
const contexts = new Contexts(db);

async function openModel(source: AnswerSource | undefined, signal: AbortSignal): Promise<LanguageModelV4> {
	return answerProviders.open(chosen(source), signal);
}

function chosen(source: AnswerSource | undefined): AnswerSource {
	if (source) return source;
	throw new AppError('no-source', 'No model is chosen yet. Choose one first.');
}

/** Writes down what pages left of answers when they went, unless another tab is at it. */
async function settleTails(): Promise<void> {
	for (const sessionId of tails.sessionIds()) (await writers.open(sessionId))?.release();
}

/** The planner of what the model is sent. Loaded when something is sent, or looked into. */
const openPlanner = lazy(async () => {
	const [{ ContextPlanner }, { TokenCounts }] = await Promise.all([import('../engine/turns/context-planner'), import('../engine/tokens/token-counts')]);
	return new ContextPlanner({
		db,
		clock,
		counts: new TokenCounts(),
		providers: answerProviders
	});
});

const compactedListeners = new Set<(compacted: Compacted) => void>();

const openCompactor = lazy(async () => {
	const [{ Compactor }, planner] = await Promise.all([import('../engine/compaction/compactor'), openPlanner()]);
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
});

/**
 * After a turn: what its prompt took is learnt from, and the conversation is compacted if it is due [A11]. Where the store
 * refuses, that is tried again after the next turn; nothing that a user wrote is in it.
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

/** The turns of this tab. Loaded when first needed: there is much to read before anything is asked. */
const openTurns = lazy(async () => {
	const [{ Turns }, planner] = await Promise.all([import('../engine/turns/turns'), openPlanner()]);
	const turns = new Turns({
		db,
		locks: navigator.locks,
		writers,
		newId,
		clock,
		surface,
		source: answerSource,
		openModel,
		// There is no registry of tools yet.
		tools: [],
		planner,
		beforeTurn: async () => (await openCompactor.begun)?.giveWay(),
		afterTurn: (sessionId, sent, usage) => void afterTurn(sessionId, sent, usage),
		publish: (sessionId, event) => live.publish(sessionId, event),
		tails
	});
	addEventListener('pagehide', () => turns.leave());
	document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && turns.leave());
	return turns;
});

/**
 * Exactly what the next turn of a session would send, along the path to the head or to `at`, as JSON. Throws AppErrors
 * where there is no session, or no source.
 */
async function payload(sessionId: string, unsent?: Unsent, at?: string): Promise<string> {
	const [planner, source, rows, { toPrompt }] = await Promise.all([
		openPlanner(),
		answerSource().then(chosen),
		readContext(db, sessionId, at),
		import('../engine/turns/prompt')
	]);
	if (!rows) throw new AppError('session-absent', `There is no chat ${sessionId} in this browser.`);
	const { items, ...plan } = (await planner.view(rows, source, unsent)).plan;
	const files = await attachments.getMany(items.flatMap((item) => filesOf(item).map(({ attachmentId }) => attachmentId)));
	const prompt = await toPrompt({ ...plan, items }, files);
	const provider = await answerProviders.of(source);
	return JSON.stringify(await provider.requestBody(source, prompt), null, '\t');
}

/**
 * All that is done with what is in a session. Nothing of it is needed to open the page: `app.openConversations` loads it, and
 * what is drawn for a session only imports it.
 */
export const conversations = {
	/** The leases of this tab; what is written under one is written by the commands below. */
	writers: writers as Pick<Writers, 'open' | 'openWhenFree' | 'takeOver'>,
	drafts,
	messages,
	/** To be read; what changes a tree is below. */
	trees: trees as Pick<Trees, 'get' | 'tipThrough'>,
	trash: { list: () => trash.list(), restore: (ids: string[]) => trash.restoreUnfenced(ids) },
	scratchpad,
	live,
	openTurns,
	/** As `transcriptRows`; reads rows only. */
	read: (id: string, excerpt: Excerpt) => transcriptRows(db, id, excerpt),
	/** As `unfinishedRows`; reads rows only. */
	unfinishedAnswer: (id: string) => unfinishedRows(db, id),
	/** As `exportSession` of transfer/, which is loaded when it is needed. */
	exportSession: async (id: string, format?: ExportId) => (await import('../transfer/exports/export-session')).exportSession(db, id, format),

	/** Takes sessions out of every list; `trash.restore` brings them back for a while [A14]. */
	deleteSessions: (ids: string[], keepFor?: number) => trash.deleteSessionsUnfenced(ids, clock(), keepFor),
	/** As `renameSessionUnfenced`. */
	renameSession: (id: string, name: string, titledBy?: Session['titledBy']) => renameSessionUnfenced(db, id, name, titledBy),

	/** Commands on the tree of a session; each throws an AppError where another tab has that open. */
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
	 * The context of a session, as the model sees it [S7]. Pinning and excluding throw an AppError where another tab has the session open;
	 * its settings can be changed from any tab.
	 */
	context: {
		/** Reads rows only, so that a live query can follow it. */
		rows: (sessionId: string, at?: string) => readContext(db, sessionId, at),
		/** Returns what the next turn would send, and why, with the unsent text as its last message. */
		view: async (rows: ContextRows, unsent?: Unsent): Promise<ContextView> => {
			const [planner, source] = await Promise.all([openPlanner(), answerSource()]);
			return planner.view(rows, source, unsent);
		},
		payload,
		/** Tells what is known of the model of a source, without what the user says of it. */
		profile: async (source: AnswerSource): Promise<ModelProfile> => (await openPlanner()).profile(source),
		pin: (sessionId: string, messageId: string, wanted: boolean) =>
			writers.asWriter(sessionId, (fence) => contexts.pin(sessionId, messageId, wanted, fence)),
		exclude: (sessionId: string, messageId: string, wanted: boolean) =>
			writers.asWriter(sessionId, (fence) => contexts.exclude(sessionId, messageId, wanted, fence)),
		setSession: (sessionId: string, overrides: ContextOverrides) => contexts.setOverridesUnfenced(sessionId, overrides),
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
	/** The message that a node such as `n3`, a label or an id names, to go on from [Z9]. */
	findNode: async (sessionId: string, text: string) => (await import('../storage/outline')).resolveNode(db, sessionId, text),
	/** The tree as nodes, to be drawn or printed. Loaded beforehand, so that a live query can follow `read`. */
	openOutline: async () => {
		const { outline } = await import('../storage/outline');
		return { read: (sessionId: string) => outline(db, sessionId) };
	},
	/** Removes what was deleted and can't be brought back any more, files that nothing uses, and changes that no reader is left for; keeps what pages left. */
	purge: async (): Promise<void> => {
		await settleTails();
		await trash.purgeUnfenced(clock());
		await attachments.sweep(clock(), await heldFiles(navigator.locks));
		await new ChangeReaders(db).trim();
	}
};
