import { conversations } from '../app/conversations';
import type { CompactionFigures, StrategyName } from '../conversation/boundary';
import { unverifiedIn } from '../conversation/unverified';
import type { Message } from '../conversation/message';
import type { Proposal } from '../engine/compaction/compactor';
import type { SummaryProgress } from '../engine/compaction/summary-writer';
import type { AppError } from '../shared/app-error';
import type { CompactionMark } from '../storage/compaction-marks';
import { failureOf } from './attempt';
import { Live } from './live.svelte';
import { offerBack, reportFailure } from './notices.svelte';
import { keepInTab, keptInTab, nameInSession } from './tab-text';
import { announcement } from './turns.svelte';
import { withoutLeaving } from './under-way';

/** A session to be compacted, and the strategy; that of its settings if none is named. */
export interface CompactionRequest {
	sessionId: string;
	strategy?: StrategyName;
}

let request = $state.raw<CompactionRequest | undefined>();
/** The boundary that the user made in this tab, until it is shown; it may be drawn before this is known. */
let madeId = $state<string | undefined>();

/** The dialog "Compact this chat". */
export const compaction = {
	/** The request that it was opened for; undefined while it is closed. */
	get request() {
		return request;
	},
	open({ sessionId, strategy }: CompactionRequest): void {
		request = strategy === undefined ? { sessionId } : { sessionId, strategy };
	},
	close(): void {
		request = undefined;
	},
	/** Tells whether the user has just made this one, in this tab: true once. */
	isNew(boundaryId: string): boolean {
		if (madeId !== boundaryId) return false;
		madeId = undefined;
		return true;
	}
};

/** Describes what a compaction did, for users: `61 → 8 messages, 14,200 → 2,100 tokens`. */
export function describeFigures({ messagesBefore, messagesAfter, tokensBefore, tokensAfter }: CompactionFigures): string {
	const change = (before: number, after: number) => `${before.toLocaleString()} → ${after.toLocaleString()}`;
	return `${change(messagesBefore, messagesAfter)} messages, ${change(tokensBefore, tokensAfter)} tokens`;
}

/** The compactions that end within a stretch of a session's path [A10]. */
export class Compactions {
	private readonly live = new Live<CompactionMark[]>(() => Promise.resolve([]));
	private asked: string | undefined;

	constructor(private readonly sessionId: string) {}

	/** Reads those of another stretch from now on, or of another path to its messages. */
	read(stretch: Message[], at: string | undefined): void {
		const [from, to] = [stretch[0]?.depth, stretch.at(-1)?.depth];
		const range = JSON.stringify([from, to, at]);
		if (from === undefined || to === undefined || range === this.asked) return;
		this.asked = range;
		this.live.ask(() => conversations.compaction.marks(this.sessionId, { from, to, at }));
	}

	/** Those that are drawn after a message. */
	after(messageId: string): CompactionMark[] {
		return (this.live.current ?? []).filter(({ boundary }) => boundary.upToId === messageId);
	}
}

/** A summary that the tab keeps, with what is known of the proposal that it was edited from. */
interface KeptSummary extends Origin {
	text: string;
	/** The one that was edited before this, and was neither accepted nor taken. */
	before?: KeptSummary;
}

type Origin = Pick<Proposal, 'strategy' | 'unverified' | 'readAt' | 'excluded'>;

/** The summary that the tab keeps of a session. An earlier version has kept less of it. */
function keptSummary(sessionId: string): KeptSummary | undefined {
	const kept = keptInTab<(Partial<Origin> & { text: string }) | string>(nameInSession(sessionId, 'summary'));
	if (kept === undefined) return undefined;
	return { strategy: 'summary', unverified: [], readAt: 0, excluded: [], ...(typeof kept === 'string' ? { text: kept } : kept) };
}

/** The newest of these summaries that does not tell what was excluded since. */
function newestWithout(excluded: string[], kept: KeptSummary | undefined): KeptSummary | undefined {
	if (!kept || excluded.every((id) => kept.excluded.includes(id))) return kept;
	return newestWithout(excluded, kept.before);
}

/** A compaction while the user decides about it: proposed by a strategy, its summary edited, accepted or left. */
export class Compacting {
	/** Strategy that proposes, or has proposed; undefined until it is known which one the settings say. */
	strategy = $state<StrategyName | undefined>();
	/** Between the question and its answer. */
	working = $state<'proposing' | 'accepting' | undefined>();
	/** Progress of the model with writing. */
	progress = $state.raw<SummaryProgress | undefined>();
	proposal = $state.raw<Proposal | undefined>();
	/** The summary as the user has edited it, and what it comes to. */
	summary = $state('');
	figures = $state.raw<CompactionFigures | undefined>();
	/** A summary that the user edited in this tab before, and did not accept. */
	earlier = $state.raw<KeptSummary | undefined>();
	/** Known of the summary that is there, which came of the proposal or was kept. */
	private origin = $state.raw<Origin | undefined>();
	/** Reason why there is no proposal, or why it was not accepted. */
	problem = $state.raw<AppError | undefined>();

	/** Values that the summary still has, and the messages do not. */
	readonly unverified = $derived(unverifiedIn(this.summary, this.origin?.unverified ?? []));

	private abort = new AbortController();

	constructor(private readonly sessionId: string) {}

	/** Asks for a proposal, in the place of the last one, whose edited text can be had back. */
	async propose(strategy: StrategyName | undefined): Promise<void> {
		this.leave();
		const { signal } = (this.abort = new AbortController());
		this.strategy = strategy;
		this.earlier = keptSummary(this.sessionId);
		this.proposal = this.origin = this.progress = this.problem = undefined;
		this.working = 'proposing';
		// Words may come by the thousand between two frames, and drawing them takes as long as all that is there.
		let progress: SummaryProgress | undefined;
		let frame: number | undefined;
		const show = () => {
			frame = undefined;
			if (!signal.aborted) this.progress = progress;
		};
		const onProgress = (latest: SummaryProgress) => {
			if (signal.aborted) return;
			this.strategy ??= 'summary';
			progress = latest;
			frame ??= requestAnimationFrame(show);
		};
		try {
			const proposal = await withoutLeaving(conversations.compaction.propose(this.sessionId, strategy, { signal, onProgress }));
			if (signal.aborted) return;
			this.proposal = proposal;
			this.origin = originOf(proposal);
			this.strategy = proposal.strategy;
			this.summary = proposal.summary;
			this.figures = proposal.figures;
			this.earlier = newestWithout(proposal.excluded, this.earlier);
		} catch (error) {
			if (signal.aborted) return;
			this.problem = failureOf(error);
			this.strategy ??= await strategyOf(this.sessionId);
		} finally {
			if (frame !== undefined) cancelAnimationFrame(frame);
			if (!signal.aborted) this.working = this.progress = undefined;
		}
	}

	/** Changes the summary. The tab keeps it until it is accepted, over closing the dialog and reloading the page. */
	async edit(summary: string): Promise<void> {
		this.summary = summary;
		const { proposal, origin } = this;
		if (!proposal || !origin) return;
		keepInTab(nameInSession(this.sessionId, 'summary'), this.withEarlier({ ...origin, text: summary }));
		const figures = await conversations.compaction.figures(proposal, summary);
		if (this.proposal === proposal && this.summary === summary) this.figures = figures;
	}

	/** Takes the summary that was edited before, in the place of what is proposed now; if that was edited too, it can be had back. */
	async takeEarlier(): Promise<void> {
		const { earlier, origin, summary, proposal } = this;
		if (!earlier || !origin || !proposal) return;
		const { text, before, ...known } = earlier;
		this.earlier = newestWithout(proposal.excluded, before);
		if (summary !== proposal.summary) this.earlier = this.withEarlier({ ...origin, text: summary });
		this.origin = known;
		await this.edit(text);
	}

	private withEarlier(summary: KeptSummary): KeptSummary {
		return this.earlier ? { ...summary, before: this.earlier } : summary;
	}

	/** Makes it. False where it can't be made now; why is then said. */
	async accept(): Promise<boolean> {
		if (!this.proposal || !this.origin || this.working) return false;
		this.problem = undefined;
		this.working = 'accepting';
		try {
			const boundary = await conversations.compaction.accept({ ...this.proposal, ...this.origin, excluded: this.proposal.excluded }, this.summary.trim());
			madeId = boundary.id;
			keepInTab(nameInSession(this.sessionId, 'summary'), undefined);
			announcement.text = `Compacted: ${describeFigures(boundary.figures)}.`;
			return true;
		} catch (error) {
			this.problem = failureOf(error);
			return false;
		} finally {
			this.working = undefined;
		}
	}

	/** Ends what is being written. */
	leave(): void {
		this.abort.abort();
	}
}

/** Returns the strategy in force in a session; undefined where its rows can't be read. */
async function strategyOf(sessionId: string): Promise<StrategyName | undefined> {
	const rows = await conversations.context.rows(sessionId).catch(() => undefined);
	return rows && conversations.context.strategy(rows);
}

function originOf({ strategy, unverified, readAt, excluded }: Proposal): Origin {
	return { strategy, unverified, readAt, excluded };
}

/** Removes a compaction, and offers to bring it back for a while [A10]. */
export function undoCompaction(boundaryId: string): Promise<void> {
	return reportFailure(async () => {
		const boundary = await conversations.compaction.undo(boundaryId);
		if (!boundary) return;
		offerBack('Compaction undone.', () => conversations.compaction.redo(boundary), { label: 'Restore' });
	});
}

/** Tells of compactions of a session that happen by themselves, until what it returns is called [Z6]. */
export function followCompactions(sessionId: string): () => void {
	return conversations.compaction.onCompacted(({ boundary, undo }) => {
		if (boundary.sessionId !== sessionId) return;
		const { figures, note } = boundary;
		offerBack([`[context compacted: ${figures.messagesBefore} → ${figures.messagesAfter} messages]`, note].filter(Boolean).join(' '), undo);
	});
}
