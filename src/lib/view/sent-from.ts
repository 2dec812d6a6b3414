import { conversations } from '../app/conversations';
import type { ContextRows } from '../storage/context-rows';
import { Live } from './live.svelte';
import { source } from './source.svelte';

/** Knows from which message on the next turn sends a chat, along the path to its head or to `at` [A9]. */
export class SentFrom {
	private readonly live: Live<ContextRows | undefined, string | undefined>;

	constructor(sessionId: string, at: string | undefined) {
		this.live = new Live(
			() => conversations.context.rows(sessionId, at),
			async (rows) => rows && conversations.context.sentFrom(rows)
		);
	}

	/** The id of that message; undefined where all is sent, and while it is not known. */
	get messageId(): string | undefined {
		return this.live.current;
	}

	/** Looks again whenever another model answers next; to be called in an effect. */
	followModel(): void {
		void source.current;
		void source.device.phase;
		this.live.finishAgain();
	}
}
