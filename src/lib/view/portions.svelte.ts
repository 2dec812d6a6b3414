import { flushSync } from 'svelte';
import type { Message } from '../conversation/message';
import type { Conversation } from './conversation.svelte';
import { newestIn } from './drawn-messages';

/** Number of messages that come first, above those that about fill the window: these may be shorter than they seem. */
const above = 8;

/** Number of messages that come in each frame after that. */
const portion = 60;

/** The messages that stand in a transcript by now: where a chat is opened at its end, that comes in a frame of its own, and the text above it in portions after that. */
export class Portions {
	/** The chat that was opened last, and the number of its messages that stand here, counted from its end. */
	private opened = $state.raw<{ id: string; count: number }>();
	private readonly messages = $derived.by(() => this.withPlace());
	private readonly opensAtEnd = $derived.by(() => {
		const { reachesEnd, goal } = this.conversation();
		return reachesEnd && goal.messageId === undefined && !goal.start;
	});
	/** The number that may stand here by now. */
	private readonly room = $derived.by(() => {
		if (!this.opensAtEnd) return Infinity;
		return this.opened?.id === this.conversation().id ? this.opened.count : newestIn(this.messages, innerHeight).size + above;
	});
	readonly isAllPlaced = $derived.by(() => this.room >= this.messages.length);
	readonly placed = $derived.by(() => (this.isAllPlaced ? this.messages : this.messages.slice(-this.room)));

	/** `withPlace` returns the messages that have a place of their own, as far as they were read. */
	constructor(
		private readonly conversation: () => Conversation,
		private readonly withPlace: () => Message[]
	) {}

	/** For an effect: lets the next portion in. Returns what keeps it from coming. */
	follow(): (() => void) | undefined {
		if (this.placed.length === 0) return undefined;
		const { id } = this.conversation();
		if (this.isAllPlaced) {
			this.opened = { id, count: Infinity };
			return undefined;
		}
		const more = { id, count: this.room + portion };
		let timer: ReturnType<typeof setTimeout> | undefined;
		const frame = requestAnimationFrame(() => (timer = setTimeout(() => (this.opened = more))));
		return () => {
			cancelAnimationFrame(frame);
			clearTimeout(timer);
		};
	}

	/** Has all that was read stand here at once, which is about to be copied or printed. */
	placeAll(): void {
		if (!this.isAllPlaced) flushSync(() => (this.opened = { id: this.conversation().id, count: Infinity }));
	}
}
