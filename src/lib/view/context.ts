import { conversations } from '../app/conversations';
import { parseCommand } from '../commands/parse';
import type { Message } from '../conversation/message';
import type { Unsent } from '../conversation/unsent';
import type { ContextView } from '../engine/turns/context-view';
import type { AppError } from '../shared/app-error';
import type { ContextRows } from '../storage/context-rows';
import type { Draft } from '../storage/tables/drafts';
import { linesOf, type ContextLine } from './context-lines';
import { copy } from './export';
import { Live } from './live.svelte';
import { reportFailure } from './notices.svelte';

/** The number of older messages that are read at a time. */
const pageSize = 200;

/** The plan of the next turn, and its lines, newest first. */
export interface Inspected extends ContextView {
	lines: ContextLine[];
}

/** All of one moment; `older` goes on where the rows end, oldest first, system messages included. */
interface Read {
	rows: ContextRows;
	older: Message[];
}

/** A live view of what the model would be sent of a session along the path to its head, or to `at`, with what stands in its composer [S7]. */
export class ContextInspector {
	private endId: string | undefined;
	private limit = 0;
	private unsent: Unsent | undefined;
	private readonly seen: Live<Read | undefined, Inspected | undefined>;
	private readonly draft: Live<Draft | undefined>;

	/** `at`: a message's id, a node such as `n3`, or a label [Z9]. */
	constructor(
		readonly sessionId: string,
		at?: string
	) {
		this.seen = new Live(
			() => this.read(),
			(read) => this.look(read)
		);
		this.draft = new Live(() => conversations.drafts.get(sessionId));
		if (at !== undefined) void this.readTo(at);
	}

	get current(): Inspected | undefined {
		return this.seen.current;
	}
	get failure(): AppError | undefined {
		return this.seen.failure;
	}

	/** The content of the composer as it would be sent: in this tab or in the one that writes. A command is not sent. */
	get typed(): Unsent | undefined {
		const { composer = '', attachments = [] } = this.draft.current ?? {};
		const text = composer.trim();
		if ((text === '' && attachments.length === 0) || parseCommand(text)) return undefined;
		return { text, attachments };
	}

	/** Counts this as if it were sent. */
	count(unsent: Unsent | undefined): void {
		if (JSON.stringify(unsent) === JSON.stringify(this.unsent)) return;
		this.unsent = unsent;
		this.seen.finishAgain();
	}

	/** Looks again: what is known of the model is not in the rows. */
	refresh(): void {
		this.seen.finishAgain();
	}

	/** Reads more of the messages that are too old to be sent. */
	showMore(): void {
		this.limit += pageSize;
		this.seen.ask(() => this.read());
	}

	pin(messageId: string, wanted: boolean): Promise<void> {
		return reportFailure(() => conversations.context.pin(this.sessionId, messageId, wanted));
	}

	exclude(messageId: string, wanted: boolean): Promise<void> {
		return reportFailure(() => conversations.context.exclude(this.sessionId, messageId, wanted));
	}

	/** Puts on the clipboard what the model would be sent, to the letter. */
	copyAsSent(): Promise<void> {
		return reportFailure(async () => copy(await conversations.context.payload(this.sessionId, this.typed, this.endId), 'Copied as it would be sent.'));
	}

	private async readTo(at: string): Promise<void> {
		this.endId = (await conversations.findNode(this.sessionId, at))?.id;
		this.seen.ask(() => this.read());
	}

	private async read(): Promise<Read | undefined> {
		const rows = await conversations.context.rows(this.sessionId, this.endId);
		if (!rows) return undefined;
		const next = rows.path[0] ? rows.path[0].parentId : (rows.boundary?.upToId ?? rows.endId);
		if (this.limit === 0 || next === null) return { rows, older: [] };
		return { rows, older: (await conversations.messages.newestStretch(this.sessionId, { limit: this.limit, at: next })).path };
	}

	private async look(read: Read | undefined): Promise<Inspected | undefined> {
		if (!read) return undefined;
		const view = await conversations.context.view(read.rows, this.unsent);
		return { ...view, lines: linesOf(view, read.older) };
	}
}
