import { SvelteSet } from 'svelte/reactivity';
import type { Message } from '../conversation/message';
import { partText } from '../conversation/part-text';

/** The distance from the window, in heights of it, within which messages are drawn. */
const margin = 1.5;

/** Rough sizes of text as it is drawn, for messages that were not drawn yet: letters a line, and pixels. */
const [lineLength, lineHeight, frameHeight] = [75, 27, 90];

/** The most messages at the end that are always drawn. */
const maxLast = 12;

/** Elements whose state would be lost with what is drawn of a message. */
const busy = 'textarea, details[open], :popover-open, [aria-expanded="true"]';

/**
 * Knows which messages of a transcript are near the window: the others are there as plain text only, which costs a page little. One
 * that goes far away keeps its height, and stays drawn while it has the focus, a part of the selection, or something open.
 */
export class Nearness {
	private readonly near = new SvelteSet<string>();
	private readonly heights = new Map<string, number>();
	/** Places that are far away and could not be let go yet. */
	private readonly waiting = new Set<HTMLElement>();
	private observer: IntersectionObserver | undefined;

	isNear(messageId: string): boolean {
		return this.near.has(messageId);
	}

	/** The height of a message when it was last drawn, in pixels; undefined where it was not drawn yet. */
	heightOf(messageId: string): number | undefined {
		return this.heights.get(messageId);
	}

	/** Watches the place of a message, an element in the one that scrolls; an attachment. */
	place(messageId: string): (place: HTMLElement) => () => void {
		return (place) => {
			place.dataset.place = messageId;
			this.observer ??= new IntersectionObserver((entries) => this.see(entries), {
				root: place.closest('[role=log]'),
				rootMargin: `${margin * 100}% 0px`
			});
			this.observer.observe(place);
			return () => {
				this.observer!.unobserve(place);
				this.waiting.delete(place);
				this.near.delete(messageId);
			};
		};
	}

	private see(entries: IntersectionObserverEntry[]): void {
		for (const { target, isIntersecting } of entries) {
			const place = target as HTMLElement;
			if (isIntersecting) {
				this.waiting.delete(place);
				this.near.add(place.dataset.place!);
			} else this.waiting.add(place);
		}
		for (const place of this.waiting) {
			if (isBusy(place)) continue;
			this.waiting.delete(place);
			if (this.near.delete(place.dataset.place!)) this.heights.set(place.dataset.place!, place.offsetHeight);
		}
	}
}

function isBusy(place: HTMLElement): boolean {
	if (place.contains(document.activeElement) || place.querySelector(busy)) return true;
	const selection = getSelection();
	return selection !== null && !selection.isCollapsed && selection.containsNode(place, true);
}

/** Returns about how high a message will be, in pixels. */
export function roughHeight({ parts }: Message): number {
	const lines = parts.reduce((sum, part) => sum + Math.ceil(partText(part).length / lineLength), 0);
	return frameHeight + lines * lineHeight;
}

/** Returns the ids of the newest messages, as many as are about `height` pixels high. */
export function newestWithin(messages: readonly Message[], height: number): Set<string> {
	const ids = new Set<string>();
	for (let at = messages.length - 1, room = height; at >= 0 && room > 0 && ids.size < maxLast; at--) {
		ids.add(messages[at]!.id);
		room -= roughHeight(messages[at]!);
	}
	return ids;
}
