import { flushSync } from 'svelte';
import { on } from 'svelte/events';
import { SvelteSet } from 'svelte/reactivity';
import type { Message } from '../conversation/message';
import { partText } from '../conversation/part-text';

/** The distances from the window, in heights of it, within which messages are drawn at once, and beyond which they are text again. */
const [near, far] = [1.5, 4];

/** Rough sizes of text as it is drawn: letters a line, and pixels. */
const [lineLength, lineHeight, frameHeight] = [75, 27, 90];

/** The most messages at the end that are drawn with the page. */
const maxLast = 12;

/** Number of messages before and after the one that was gone to that are drawn with it. */
const around = 3;

/**
 * Knows which messages of a transcript are drawn: those near the window. The others are there as plain text, as high as they were when they were
 * drawn: each is, for a moment, whenever the page has time. What a user has touched or selected, or is in, stays as it is.
 */
export class DrawnMessages {
	private readonly drawn = new SvelteSet<string>();
	private readonly places = new Map<string, HTMLElement>();
	/** Messages whose height is not known for the width that they have now, as they came. */
	private readonly unmeasured = new Set<string>();
	private readonly heights = new Map<string, number>();
	private readonly touched = new Set<string>();
	/** The attachments of places, the same each time: a new one would have its place begin anew. */
	private readonly attachments = new Map<string, (place: HTMLElement) => () => void>();
	private observers: { near: IntersectionObserver; far: IntersectionObserver } | undefined;
	private isAsked = false;

	/** `move` scrolls by so many pixels: by as much as what was drawn above the window is higher, where the browser does not see to that. */
	constructor(private readonly move: (pixels: number) => void) {}

	has(messageId: string): boolean {
		return this.drawn.has(messageId);
	}

	/** Returns the height that a message had when it was last drawn, in pixels; undefined where it never was. */
	heightOf(messageId: string): number | undefined {
		return this.heights.get(messageId);
	}

	/** Measures all again, since they have another width. */
	measureAgain(): void {
		for (const messageId of this.places.keys()) if (!this.drawn.has(messageId)) this.unmeasured.add(messageId);
		this.askForTime();
	}

	/** Draws all that is selected, which is about to be copied: a mixture of text and source otherwise. */
	drawSelected(): void {
		const selection = getSelection();
		if (selection?.isCollapsed !== false) return;
		flushSync(() => {
			for (const [messageId, place] of this.places) if (!this.drawn.has(messageId) && selection.containsNode(place, true)) this.draw(messageId);
		});
	}

	/** Watches the place of a message, an element in the one that scrolls; an attachment. */
	place(messageId: string): (place: HTMLElement) => () => void {
		const known = this.attachments.get(messageId);
		if (known) return known;
		const attachment = (place: HTMLElement) => {
			place.dataset.place = messageId;
			const { near, far } = (this.observers ??= this.observe(scrollerOf(place)));
			this.places.set(messageId, place);
			near.observe(place);
			this.unmeasured.add(messageId);
			this.askForTime();
			const touch = () => void this.touched.add(messageId);
			const off = (['click', 'input', 'toggle'] as const).map((type) => on(place, type, touch, { capture: true }));
			return () => {
				for (const end of off) end();
				near.unobserve(place);
				far.unobserve(place);
				this.drawn.delete(messageId);
				for (const known of [this.places, this.unmeasured, this.heights, this.touched, this.attachments]) known.delete(messageId);
			};
		};
		this.attachments.set(messageId, attachment);
		return attachment;
	}

	private observe(root: HTMLElement | null): { near: IntersectionObserver; far: IntersectionObserver } {
		const within = (windows: number, see: (messageId: string, isWithin: boolean) => void) => {
			const options = { root, rootMargin: `${windows * 100}% 0px` };
			return new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => see((target as HTMLElement).dataset.place!, isIntersecting)), options);
		};
		return {
			near: within(near, (messageId, isNear) => isNear && this.draw(messageId)),
			// It tells of each that is drawn at once, also of one that is drawn far away to be measured.
			far: within(far, (messageId, isWithin) => !isWithin && this.undraw(messageId))
		};
	}

	private draw(messageId: string): void {
		const place = this.places.get(messageId)!;
		this.unmeasured.delete(messageId);
		this.observers!.near.unobserve(place);
		this.observers!.far.observe(place);
		if (CSS.supports('overflow-anchor', 'auto')) {
			this.drawn.add(messageId);
			return;
		}
		const before = place.getBoundingClientRect();
		flushSync(() => this.drawn.add(messageId));
		const isAbove = before.bottom <= (scrollerOf(place)?.getBoundingClientRect().top ?? 0);
		if (isAbove) this.move(place.getBoundingClientRect().height - before.height);
	}

	private undraw(messageId: string): void {
		const place = this.places.get(messageId);
		if (!place || this.touched.has(messageId) || isInUse(place)) return;
		this.observers!.far.unobserve(place);
		this.observers!.near.observe(place);
		this.heights.set(messageId, place.getBoundingClientRect().height);
		this.drawn.delete(messageId);
	}

	private askForTime(): void {
		if (this.isAsked || this.unmeasured.size === 0) return;
		this.isAsked = true;
		whenIdle(() => {
			this.isAsked = false;
			// The end is where one mostly is: from there upwards.
			const next = [...this.unmeasured].at(-1);
			try {
				if (next !== undefined) this.draw(next);
			} finally {
				this.askForTime();
			}
		});
	}
}

/** Tells whether the focus is in an element, or something that is selected. */
function isInUse(element: HTMLElement): boolean {
	const selection = getSelection();
	return element.contains(document.activeElement) || (selection?.isCollapsed === false && selection.containsNode(element, true));
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
