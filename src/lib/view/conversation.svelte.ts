import type { ConversationRows } from '../app';
import { app } from '../app';
import { Live } from './live.svelte';

/** How many of the newest messages are read at first, and how many more at a time on the way up. */
const pageSize = 200;

/**
 * One session as the transcript draws it. `session` is undefined when it is absent. `cutOff` says that its row claims a
 * running turn which no tab is running: the tab that ran it was closed.
 */
export class Conversation {
	private limit = pageSize;
	private readonly rows: Live<ConversationRows>;

	constructor(readonly id: string) {
		this.rows = new Live(() => app.conversation(id, pageSize));
	}

	get loading() {
		return this.rows.loading;
	}
	get failure() {
		return this.rows.failure;
	}
	get session() {
		return this.rows.current?.session;
	}
	get messages() {
		return this.rows.current?.messages ?? [];
	}
	get unfinished() {
		return this.rows.current?.unfinished;
	}
	get cutOff() {
		return this.rows.current?.cutOff ?? false;
	}

	/** Whether there are older messages, above the ones that were read. */
	get hasEarlier() {
		return (this.messages[0]?.depth ?? 0) > 0;
	}

	showEarlier(): void {
		const limit = (this.limit += pageSize);
		this.rows.ask(() => app.conversation(this.id, limit));
	}
}
