import type { LanguageModelV4 } from '@ai-sdk/provider';
import { coverageOf, keepOf } from '../../context/coverage';
import { estimateTokens } from '../../context/estimate';
import { summaryShare } from '../../context/select';
import type { TokenCounter } from '../../context/token-counter';
import { withoutExcluded } from '../../context/units';
import { maxSummary, summaryTag, type Boundary, type CompactionFigures, type StrategyName } from '../../conversation/boundary';
import { unverifiedIn } from '../../conversation/unverified';
import type { Message, Usage } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import type { Clock } from '../../shared/clock';
import { Boundaries } from '../../storage/boundaries';
import type { Database } from '../../storage/database';
import { Messages } from '../../storage/messages';
import { toStorageError } from '../../storage/storage-failure';
import type { AnswerSource } from '../providers/answer-source';
import type { ContextPlanner } from '../turns/context-planner';
import type { ContextView } from '../turns/context-view';
import {
	askForSections,
	summariseByRule,
	valuesWithoutSource,
	writeSummary,
	type Findings,
	type SummaryProgress,
	type SummaryRoom
} from './summary-writer';
import type { Writers } from '../turns/writers';

/** A compaction that is not made yet: the user may still change its summary. */
export interface Proposal {
	sessionId: string;
	strategy: StrategyName;
	upToId: string;
	depth: number;
	excluded: string[];
	summary: string;
	/** Tokens of the summary, its tag included. */
	summaryTokens: number;
	figures: CompactionFigures;
	madeAtDepth: number;
	/** Time at which the messages were read, in epoch milliseconds: what is redacted later must not live on in the summary. */
	readAt: number;
	unverified: string[];
	/** Reason why it is not by the strategy that was asked for, as a sentence. */
	note?: string;
	usage?: Usage;
}

export interface ProposeOptions {
	signal?: AbortSignal;
	onProgress?: (progress: SummaryProgress) => void;
}

/** A compaction that was made by itself. */
export interface Compacted {
	boundary: Boundary;
	/** Takes it back. */
	undo: () => Promise<void>;
}

export interface CompactorPorts {
	db: Database;
	clock: Clock;
	newId: () => string;
	writers: Pick<Writers, 'asWriter'>;
	planner: ContextPlanner;
	source: (sessionId: string) => Promise<AnswerSource | undefined>;
	openModel: (source: AnswerSource | undefined, signal: AbortSignal) => Promise<LanguageModelV4>;
	/** Told what a boundary is about to stand for, before it is made [S10]; if that fails it is not made. */
	beforeBoundary: (covered: Pick<Boundary, 'sessionId' | 'upToId' | 'depth' | 'excluded'>) => Promise<void>;
	/** Told of each compaction that was made by itself. */
	onCompacted: (compacted: Compacted) => void;
}

/** A compaction that is made by itself covers at least so many more messages than the one before. */
const minNew = 4;

/** Number of the newest messages that are counted one by one for the figures; older ones are estimated. */
const counted = 400;

/** Tokens that a model whose window is not known is given to read at a time, and has for a summary. */
const unknownWindow = 32_768;

/** Makes boundaries [A10]: proposes a summary, and keeps it once it is accepted. No message changes, and each can be undone. */
export class Compactor {
	private readonly automatic = new Map<AbortController, Promise<void>>();

	constructor(private readonly ports: CompactorPorts) {}

	/**
	 * A summary for all but the newest messages of the path, by `wanted` or the strategy in the settings. What is excluded is
	 * not told, nor shown to the model that writes it. Where the model can't write one, `code-aware` does, and `note` says why.
	 * Throws AppErrors (`session-absent`, `nothing-to-compact`) or the signal's reason.
	 */
	async propose(
		sessionId: string,
		wanted?: StrategyName,
		{ signal = new AbortController().signal, onProgress }: ProposeOptions = {},
		minCovered = 1
	): Promise<Proposal> {
		const { planner, clock } = this.ports;
		const readAt = clock();
		const rows = await planner.rows(sessionId);
		if (!rows) throw new AppError('session-absent', 'This chat is no longer there.');
		const source = await this.ports.source(sessionId);
		const asked = wanted ?? (await planner.strategy(rows, source));
		const excludes = new Set(rows.excludes);
		const whole = await this.pathOf(sessionId, signal);
		const path = withoutExcluded(whole, excludes);
		const covered = path.slice(0, coverageOf(path, keepOf(asked, rows.settings)));
		const last = covered.at(-1);
		const before = rows.boundary?.depth ?? 0;
		if (!last || covered.filter(({ depth }) => depth > before).length < minCovered) throw nothingToCompact(before > 0);

		const newest = path.slice(-counted);
		/** Only after the model is in memory its window is known for sure. */
		const measure = async () => {
			const view = await planner.view(rows, source);
			const count = await planner.counter(rows, source, newest);
			const [window, budget] = [view.model.window, view.plan.budget].map((tokens) => (Number.isFinite(tokens) ? tokens : unknownWindow)) as [number, number];
			return { window, count, view, tokens: Math.floor(summaryShare * (budget - view.plan.totals.system)) };
		};
		const open = async () => ({ model: await this.ports.openModel(source, signal), window: (await measure()).window });
		const findings = asked === 'summary' ? await askForSections(covered, rows.boundary, open, { signal, onProgress }) : undefined;
		const { view, count, tokens } = await measure();
		const written = await writtenFrom(asked, findings, covered, { tokens, count }, signal);
		const summaryTokens = count.text(`${summaryTag}\n${written.summary}`);
		return {
			sessionId,
			upToId: last.id,
			depth: last.depth,
			excluded: whole.filter(({ id, depth }) => excludes.has(id) && depth <= last.depth).map(({ id }) => id),
			summaryTokens,
			figures: figuresOf(view, path, covered.length, summaryTokens, count),
			madeAtDepth: rows.endDepth,
			readAt,
			...written
		};
	}

	/** Returns a proposal's figures with another summary. */
	figures({ figures, summary: before, summaryTokens }: Proposal, summary: string): CompactionFigures {
		const size = (text: string) => Math.max(1, estimateTokens(`${summaryTag}\n${text}`));
		const change = Math.round(summaryTokens * (size(summary) / size(before) - 1));
		return { ...figures, tokensAfter: Math.max(0, figures.tokensAfter + change) };
	}

	/**
	 * Makes the boundary, with `summary` as the user left it. Throws AppErrors: for a summary that is empty or too long, where another tab has
	 * the session open, or where what it covers is not there any more.
	 */
	async accept(proposal: Proposal, summary: string, { automatic = false } = {}): Promise<Boundary> {
		const { db, newId, clock, beforeBoundary } = this.ports;
		const text = summary.trim();
		if (text === '') throw new AppError('summary-empty', 'Without a summary, the model would not know these messages at all. Write one, or cancel.');
		if (text.length > maxSummary) {
			throw new AppError('summary-too-long', `A summary can have up to ${maxSummary.toLocaleString()} characters, and this one has ${text.length.toLocaleString()}. Shorten it.`);
		}
		const { summary: _, summaryTokens: __, readAt, ...kept } = proposal;
		const boundary: Boundary = {
			...kept,
			id: newId(),
			summary: text,
			figures: this.figures(proposal, text),
			unverified: unverifiedIn(text, proposal.unverified),
			automatic,
			createdAt: clock()
		};
		await beforeBoundary(proposal);
		await this.ports.writers.asWriter(proposal.sessionId, (fence) => new Boundaries(db).add(boundary, fence, { readAt }));
		return boundary;
	}

	/** Takes a boundary away: the model sees the messages themselves again. Returns it, for `redo`. */
	async undo(boundaryId: string): Promise<Boundary | undefined> {
		const { db, clock } = this.ports;
		const boundary = await new Boundaries(db).get(boundaryId);
		return boundary && this.ports.writers.asWriter(boundary.sessionId, (fence) => new Boundaries(db).remove(boundaryId, clock(), fence));
	}

	redo(boundary: Boundary): Promise<void> {
		return this.ports.writers.asWriter(boundary.sessionId, (fence) => new Boundaries(this.ports.db).add(boundary, fence, { again: true }));
	}

	/**
	 * Compacts the session if it is due [A11, S5]; to be called between turns. What a user would be told if they had asked
	 * for it (nothing to compact, another tab took over, a full disk) is left unsaid: after the next turn it is tried again.
	 */
	afterTurn(sessionId: string): Promise<void> {
		const abort = new AbortController();
		const done = this.compactIfDue(sessionId, abort.signal)
			.catch((error: unknown) => {
				if (!abort.signal.aborted && !(toStorageError(error) instanceof AppError)) throw error;
			})
			.finally(() => this.automatic.delete(abort));
		this.automatic.set(abort, done);
		return done;
	}

	/** Ends what was begun by itself: the user’s next message must not wait for it. */
	async giveWay(): Promise<void> {
		const all = [...this.automatic];
		for (const [abort] of all) abort.abort(new DOMException('A turn begins.', 'AbortError'));
		// A fault in one is told where it was begun; a turn does not fail with it.
		await Promise.allSettled(all.map(([, done]) => done));
	}

	private async compactIfDue(sessionId: string, signal: AbortSignal): Promise<void> {
		const { planner } = this.ports;
		const rows = await planner.rows(sessionId);
		if (!rows || !isBetweenTurns(rows.path.at(-1))) return;
		const { compactsBy } = await planner.view(rows, await this.ports.source(sessionId));
		if (!compactsBy) return;
		const proposal = await this.propose(sessionId, compactsBy, { signal }, minNew);
		signal.throwIfAborted();
		if (proposal.figures.tokensAfter >= proposal.figures.tokensBefore) return;
		const boundary = await this.accept(proposal, proposal.summary, { automatic: true });
		this.ports.onCompacted({ boundary, undo: async () => void (await this.undo(boundary.id)) });
	}

	/** The whole path without system messages, oldest first, read so that the page can draw in between. */
	private async pathOf(sessionId: string, signal: AbortSignal): Promise<Message[]> {
		const pages: Message[][] = [];
		for await (const page of new Messages(this.ports.db).pages(sessionId)) {
			signal.throwIfAborted();
			pages.push(page.filter(({ role }) => role !== 'system'));
		}
		return pages.reverse().flat();
	}
}

/** The summary of what the model found, or else by rules, with what is to be said of it. */
async function writtenFrom(
	asked: StrategyName,
	findings: Findings | undefined,
	covered: Message[],
	room: SummaryRoom,
	signal: AbortSignal
): Promise<Pick<Proposal, 'strategy' | 'summary' | 'unverified' | 'note' | 'usage'>> {
	if (findings && 'sections' in findings) {
		const summary = writeSummary(findings.sections, room);
		return { strategy: 'summary', summary, unverified: await valuesWithoutSource(summary, covered, signal), usage: findings.usage };
	}
	const strategy = asked === 'summary' ? 'code-aware' : asked;
	const summary = await summariseByRule(strategy, covered, room, signal);
	return { strategy, summary, unverified: [], ...(findings ? { note: findings.failure } : {}) };
}

function nothingToCompact(isCompacted: boolean): AppError {
	const why = isCompacted
		? 'Everything but the newest messages is compacted already. Undo that first to compact it in another way.'
		: 'There is nothing to compact yet: the newest messages stay as they are.';
	return new AppError('nothing-to-compact', why);
}

/** A turn has ended for good when the model has said its last word: not where it waits for a tool. */
function isBetweenTurns(last: Message | undefined): boolean {
	return last?.role === 'assistant' && last.finishReason !== 'tool-calls';
}

/** Returns what the model was sent before, if nothing was left out, and what it is sent afterwards. */
function figuresOf(
	{ rows, plan }: Pick<ContextView, 'rows' | 'plan'>,
	path: Message[],
	covered: number,
	summaryTokens: number,
	count: TokenCounter
): CompactionFigures {
	const before = path.filter(({ depth }) => depth > (rows.boundary?.depth ?? 0));
	const after = path.slice(covered);
	const tokens = (messages: Message[]) => messages.reduce((sum, message) => sum + count.message(message), plan.totals.system);
	const system = rows.system === '' ? 0 : 1;
	return {
		messagesBefore: before.length + system + (rows.boundary ? 1 : 0),
		messagesAfter: after.length + system + 1,
		tokensBefore: tokens(before) + plan.totals.summary + plan.totals.environment,
		tokensAfter: tokens(after) + summaryTokens + plan.totals.environment
	};
}
