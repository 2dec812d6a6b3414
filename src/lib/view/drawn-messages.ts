import { flushSync } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { Message } from '../conversation/message';
import { partText } from '../conversation/part-text';

/** The distance from the window, in heights of it, within which messages are drawn at once. */
const margin = 1.5;

/** Rough sizes of text as it is drawn: letters a line, and pixels. */
const [lineLength, lineHeight, frameHeight] = [75, 27, 90];

/** The most messages at the end that are drawn with the page. */
const maxLast = 12;

/** Number of messages before and after the one that was gone to that are drawn with it. */
const around = 3;

/**
 * Knows which messages of a transcript are drawn: those near the window at once, the others one by one whenever the page has time. Until then
 * they are there as plain text. What is drawn stays.
 */
export class DrawnMessages {
	private readonly drawn = new SvelteSet<string>();
	/** The places of messages that are not drawn yet, by message id, as they came. */
	private readonly waiting = new Map<string, HTMLElement>();
	/** The attachments of places, the same each time: a new one would have its place begin anew. */
	private readonly attachments = new Map<string, (place: HTMLElement) => () => void>();
	private observer: IntersectionObserver | undefined;
	private isAsked = false;

	/** `move` scrolls by so many pixels: by as much as what was drawn above the window is higher, where the browser does not see to that. */
	constructor(private readonly move: (pixels: number) => void) {}

	has(messageId: string): boolean {
		return this.drawn.has(messageId);
	}

	/** Watches the place of a message, an element in the one that scrolls; an attachment. */
	place(messageId: string): (place: HTMLElement) => () => void {
		const known = this.attachments.get(messageId);
		if (known) return known;
		const attachment = (place: HTMLElement) => {
			place.dataset.place = messageId;
			this.observer ??= new IntersectionObserver((entries) => this.see(entries), { root: scrollerOf(place), rootMargin: `${margin * 100}% 0px` });
			this.observer.observe(place);
			this.waiting.set(messageId, place);
			this.askForTime();
			return () => {
				this.observer!.unobserve(place);
				this.waiting.delete(messageId);
				this.drawn.delete(messageId);
				this.attachments.delete(messageId);
			};
		};
		this.attachments.set(messageId, attachment);
		return attachment;
	}

	private see(entries: IntersectionObserverEntry[]): void {
		for (const { target, isIntersecting } of entries) if (isIntersecting) this.draw(target as HTMLElement);
	}

	private draw(place: HTMLElement): void {
		const messageId = place.dataset.place!;
		if (!this.waiting.delete(messageId)) return;
		this.observer!.unobserve(place);
		if (CSS.supports('overflow-anchor', 'auto')) {
			this.drawn.add(messageId);
			return;
		}
		const before = place.getBoundingClientRect();
		flushSync(() => this.drawn.add(messageId));
		const isAbove = before.bottom <= (scrollerOf(place)?.getBoundingClientRect().top ?? 0);
		if (isAbove) this.move(place.getBoundingClientRect().height - before.height);
	}

	private askForTime(): void {
		if (this.isAsked || this.waiting.size === 0) return;
		this.isAsked = true;
		whenIdle(() => {
			this.isAsked = false;
			// The end is where one mostly is: from there upwards.
			const next = [...this.waiting.values()].at(-1);
			try {
				if (next) this.draw(next);
			} finally {
				this.askForTime();
			}
		});
	}
}

function scrollerOf(place: HTMLElement): HTMLElement | null {
	return place.closest<HTMLElement>('[role=log]');
}

function whenIdle(work: () => void): void {
	// Safari has no idle callbacks.
	if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
	else setTimeout(work, 50);
}

/** Returns about how high a message with a text of that length will be, in pixels. */
export function roughHeight(length: number): number {
	return frameHeight + Math.ceil(length / lineLength) * lineHeight;
}

/** Returns the ids of the newest messages, as many as are about `height` pixels high. */
export function newestWithin(messages: readonly Message[], height: number): Set<string> {
	const ids = new Set<string>();
	for (let at = messages.length - 1, room = height; at >= 0 && room > 0 && ids.size < maxLast; at--) {
		ids.add(messages[at]!.id);
		room -= roughHeight(messages[at]!.parts.reduce((sum, part) => sum + partText(part).length, 0));
	}
	return ids;
}

/** Returns the ids of a message that was gone to and of those around it. */
export function thoseAround(messages: readonly Message[], messageId: string | undefined): Set<string> {
	const at = messageId === undefined ? -1 : messages.findIndex(({ id }) => id === messageId);
	return new Set(at < 0 ? [] : messages.slice(Math.max(0, at - around), at + around + 1).map(({ id }) => id));
}
