import type { ConversationRows, Excerpt } from '../app';
import { app } from '../app';
import { Live } from './live.svelte';

/** How many messages are read at first, and how many more at a time on the way up or down. */
const pageSize = 200;

/**
 * One session as the transcript draws it: the newest messages of its path, or the oldest after `showStart`. `session` is
 * undefined when it is absent. `cutOff` says that its row claims a running turn which no tab is running: the tab that
 * ran it was closed. With `at`, it is read along the path to that message, wherever the head is.
 */
export class Conversation {
	private excerpt = $state.raw<Excerpt>({ from: 'newest', limit: pageSize });
	private readonly rows: Live<ConversationRows, ConversationRows & { cutOff: boolean }>;

	/** What `at` named, if there is no such message in the session. */
	missing = $state.raw<string | undefined>();

	/** `at`: a message's id, a node such as `n3`, or a label [Z9]. */
	constructor(
		readonly id: string,
		readonly at?: string
	) {
		const first = this.excerpt;
		this.rows = new Live(() => app.conversation(id, first), withCutOff);
		if (at !== undefined) void this.readTo(at);
	}

	get loading() {
		return this.rows.loading;
	}
	get failure() {
		return this.rows.failure;
	}
	/** Whether there is no such session. */
	get absent() {
		return !this.loading && !this.failure && !this.session;
	}
	get session() {
		return this.rows.current?.session;
	}
	get tree() {
		return this.rows.current?.tree;
	}
	get messages() {
		return this.rows.current?.path ?? [];
	}
	get unfinished() {
		return this.rows.current?.unfinished;
	}
	get cutOff() {
		return this.rows.current?.cutOff ?? false;
	}

	/** All versions of a message, itself among them, in order of sending; none where there is only this one. */
	siblingsOf(messageId: string): string[] {
		return this.rows.current?.siblings.get(messageId) ?? [];
	}

	/** Whether there are older messages, above the ones that were read. */
	get hasEarlier() {
		return this.excerpt.from === 'newest' && (this.messages[0]?.depth ?? 0) > 0;
	}

	/** Whether the newest message is among the ones that were read. */
	get reachesEnd() {
		const last = this.messages.at(-1);
		return this.excerpt.from === 'newest' || (last !== undefined && last.depth + 1 < this.excerpt.limit);
	}

	showEarlier(): void {
		this.read({ ...this.excerpt, limit: this.excerpt.limit + pageSize });
	}

	/** Shows the beginning [E15]; `showLater` goes on from there, `showEnd` returns. */
	showStart(): void {
		this.read({ ...this.excerpt, from: 'oldest', limit: pageSize });
	}

	showLater(): void {
		this.read({ ...this.excerpt, limit: this.excerpt.limit + pageSize });
	}

	showEnd(): void {
		this.read({ ...this.excerpt, from: 'newest', limit: pageSize });
	}

	private async readTo(at: string): Promise<void> {
		const node = await app.findNode(this.id, at);
		if (node) this.read({ ...this.excerpt, at: node.id });
		else this.missing = at;
	}

	private read(excerpt: Excerpt): void {
		this.excerpt = excerpt;
		this.rows.ask(() => app.conversation(this.id, excerpt));
	}
}

async function withCutOff(rows: ConversationRows): Promise<ConversationRows & { cutOff: boolean }> {
	const { session } = rows;
	return { ...rows, cutOff: session?.status === 'running' && !(await app.answering()).includes(session.id) };
}
