import { flushSync } from 'svelte';
import { on } from 'svelte/events';
import { SvelteSet } from 'svelte/reactivity';
import type { Message } from '../conversation/message';
import { partText, textOfTypes } from '../conversation/part-text';
import { startOf, textLimit } from '../shared/start-of';
import { mayChangeDirection } from '../shared/direction-changes';
import { unseenCharacters } from '../shared/unseen-characters';
import { whenIdle } from './when-idle';

/** The distances from the window, in heights of it, within which messages are drawn at once, and beyond which they are text again. */
const [near, far] = [1.5, 4];

/** Rough sizes of text as it is drawn: letters a line, and pixels. */
const [lineLength, lineHeight, frameHeight] = [70, 28, 90];

/** Lines that are shown of a long question. */
const foldedLines = 12;

/** The most that is there of a message that may change its direction, before it was drawn once: to look where it does takes its time. In UTF-16 units. */
const maxTurning = 2000;

/** The longest times in which what is about to be copied or printed is drawn, in milliseconds; the rest of it stays text. */
const [maxForCopy, maxForPrint] = [2000, 10_000];

/** Milliseconds after which one that is still being drawn is measured. */
const measuringPause = 300;

/** Milliseconds after a key within which none is drawn to be measured: the next key would wait for it. */
const typingPause = 500;

/** A message as it was drawn: its height in pixels, the words that were seen, and the text that they came of. */
export interface Measured {
	height: number;
	words: string;
	source: string;
}

/** The most messages at the end that are drawn with the page. */
const maxLast = 12;

/** Number of messages before and after the one that was gone to that are drawn with it. */
const around = 3;

/**
 * Knows which messages of a transcript are drawn: those near the window. The others are there as plain text, as high as they were when they were
 * drawn: each is, for a moment, whenever the page has time. What a user has opened, begun or selected, or is in, stays as it is.
 */
export class DrawnMessages {
	private readonly drawn = new SvelteSet<string>();
	private readonly places = new Map<string, HTMLElement>();
	/** Messages whose height is not known for the width that they have now, as they came. */
	private readonly unmeasured = new Set<string>();
	private readonly measured = new Map<string, Measured>();
	private readonly touched = new Set<string>();
	/** Messages that came near the window and are not drawn yet, as they came. */
	private readonly waiting = new Set<string>();
	/** Messages that are far away and stay drawn while they are in use. */
	private readonly inUse = new Set<string>();
	/** The attachments of places, the same each time: a new one would have its place begin anew. */
	private readonly attachments = new Map<string, (place: HTMLElement) => () => void>();
	private observers: { nearby: IntersectionObserver; faraway: IntersectionObserver } | undefined;
	private isAsked = false;
	/** The time of the last key: one who types is not to wait for what is measured. */
	private typedAt = -typingPause;
	private isHeld = false;

	/**
	 * `messageOf` knows the messages. `move` scrolls by so many pixels: by as much as what was drawn above the window is higher, where the browser
	 * does not see to that.
	 */
	constructor(
		private readonly messageOf: (id: string) => Message | undefined,
		private readonly move: (pixels: number) => void
	) {}

	has(messageId: string): boolean {
		return this.drawn.has(messageId);
	}

	measuredOf(messageId: string): Measured | undefined {
		return this.measured.get(messageId);
	}

	/** Measures all again, since they have another width. */
	measureAgain(): void {
		for (const messageId of this.places.keys()) if (!this.drawn.has(messageId)) this.unmeasured.add(messageId);
		this.askForTime();
	}

	/** Listens for what is copied, selected, printed and typed. `placeAll` has all that was read stand there at once. Returns what ends that. */
	listen(placeAll: () => void): () => void {
		const off = [
			on(window, 'keydown', () => (this.typedAt = performance.now()), { capture: true }),
			on(document, 'copy', () => {
				placeAll();
				this.drawSelected();
			}),
			on(document, 'selectionchange', () => getSelection()?.isCollapsed !== false && this.letGo()),
			on(window, 'beforeprint', () => {
				placeAll();
				this.drawAll();
			}),
			on(window, 'afterprint', () => this.letGo())
		];
		return () => off.forEach((end) => end());
	}

	/** Watches the place of a message, an element in the one that scrolls; an attachment. */
	place(messageId: string): (place: HTMLElement) => () => void {
		const known = this.attachments.get(messageId);
		if (known) return known;
		const attachment = (place: HTMLElement) => {
			place.dataset.place = messageId;
			this.observers ??= this.observe(scrollerOf(place));
			this.places.set(messageId, place);
			this.observers.nearby.observe(place);
			this.unmeasured.add(messageId);
			this.askForTime();
			const touch = (event: Event) => {
				if (event.type !== 'click' || (event.target as Element).closest('button, summary')) this.touched.add(messageId);
			};
			const off = (['click', 'input', 'toggle'] as const).map((type) => on(place, type, touch, { capture: true }));
			return () => {
				for (const end of off) end();
				this.observers!.nearby.unobserve(place);
				this.observers!.faraway.unobserve(place);
				for (const known of [this.drawn, this.places, this.waiting, this.unmeasured, this.measured, this.touched, this.inUse, this.attachments]) known.delete(messageId);
			};
		};
		this.attachments.set(messageId, attachment);
		return attachment;
	}

	private observe(root: HTMLElement | null): { nearby: IntersectionObserver; faraway: IntersectionObserver } {
		const within = (windows: number, see: (messageId: string, isWithin: boolean, isSeen: boolean) => void) => {
			const options = { root, rootMargin: `${windows * 100}% 0px` };
			return new IntersectionObserver((entries) => {
				const { top, bottom } = root?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
				for (const { target, isIntersecting, boundingClientRect: place } of entries) see((target as HTMLElement).dataset.place!, isIntersecting, place.bottom > top && place.top < bottom);
			}, options);
		};
		return {
			nearby: within(near, (messageId, isNear, isSeen) => {
				if (isSeen) this.draw(messageId);
				else if (isNear) this.wait(messageId);
				else this.waiting.delete(messageId);
			}),
			// It tells of each that is drawn at once, also of one that is drawn far away to be measured.
			faraway: within(far, (messageId, isWithin) => (isWithin ? this.inUse.delete(messageId) : this.undraw(messageId)))
		};
	}

	/** Draws all that is selected, which is about to be copied: a mixture of text and source otherwise. */
	private drawSelected(): void {
		const selection = getSelection();
		if (selection?.isCollapsed === false) this.drawNow((place) => selection.containsNode(place, true), maxForCopy);
	}

	/** Draws all, which is about to be printed, and lets go of nothing until `letGo`. */
	private drawAll(): void {
		this.isHeld = true;
		this.drawNow(() => true, maxForPrint);
	}

	/** Lets go of what is far away and was in use, or held, unless it still is in use. */
	private letGo(): void {
		this.isHeld = false;
		for (const messageId of this.inUse) this.lookAgain(messageId);
	}

	private drawNow(isWanted: (place: HTMLElement) => boolean, milliseconds: number): void {
		const until = performance.now() + milliseconds;
		for (const [messageId, place] of this.places) {
			if (this.drawn.has(messageId) || !isWanted(place)) continue;
			if (performance.now() > until) return;
			flushSync(() => this.draw(messageId));
		}
	}

	/** Has one that is near the window, but not in it, drawn in a task of its own: many at once would hold up the frame. */
	private wait(messageId: string): void {
		this.waiting.add(messageId);
		if (this.waiting.size === 1) setTimeout(() => this.drawWaiting());
	}

	private drawWaiting(): void {
		// What came last is what was scrolled to, or the end.
		const messageId = [...this.waiting].at(-1);
		if (messageId === undefined) return;
		this.draw(messageId);
		if (this.waiting.size > 0) setTimeout(() => this.drawWaiting());
	}

	private draw(messageId: string): void {
		this.waiting.delete(messageId);
		const place = this.places.get(messageId);
		if (!place) return;
		this.unmeasured.delete(messageId);
		this.observers!.nearby.unobserve(place);
		this.observers!.faraway.observe(place);
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
		const [place, message] = [this.places.get(messageId), this.messageOf(messageId)];
		if (!place || !message || this.touched.has(messageId)) return;
		if (this.isHeld || isInUse(place)) {
			this.inUse.add(messageId);
			return;
		}
		if (place.querySelector('[data-unfinished]')) {
			setTimeout(() => this.lookAgain(messageId), measuringPause);
			return;
		}
		this.inUse.delete(messageId);
		this.observers!.faraway.unobserve(place);
		this.observers!.nearby.observe(place);
		const source = plainTextOf(message);
		const { height } = place.getBoundingClientRect();
		// The words of a formula are its source, which is there too.
		for (const formula of place.querySelectorAll('.katex')) formula.remove();
		this.measured.set(messageId, { height, words: wordsOf(place, source), source });
		this.drawn.delete(messageId);
	}

	private lookAgain(messageId: string): void {
		const place = this.places.get(messageId);
		if (!place || !this.drawn.has(messageId)) return;
		this.observers!.faraway.unobserve(place);
		this.observers!.faraway.observe(place);
	}

	private askForTime(): void {
		if (this.isAsked || this.unmeasured.size === 0) return;
		this.isAsked = true;
		whenIdle(() => {
			const isTyping = performance.now() < this.typedAt + typingPause;
			if (isTyping) {
				setTimeout(() => this.askAgain(), typingPause);
				return;
			}
			// The end is where one mostly is: from there upwards.
			const next = [...this.unmeasured].at(-1);
			try {
				if (next !== undefined) this.draw(next);
			} finally {
				this.askAgain();
			}
		});
	}

	private askAgain(): void {
		this.isAsked = false;
		this.askForTime();
	}
}

const unseen = new RegExp(`[${unseenCharacters}]`, 'gu');

/** Returns a message as plain text, before it is drawn. Nothing of it turns the words around it, since it stands there as it was written. */
export function plainTextOf(message: Message): string {
	const text = startOf(textOfTypes(message.parts, ['text', 'tool-call', 'tool-result']), textLimit);
	return (mayChangeDirection(text) ? startOf(text, maxTurning) : text).replace(unseen, ' ');
}

/** Returns the words of a message that is drawn, without what stands below it. */
function wordsOf(place: HTMLElement, source: string): string {
	const article = place.querySelector('article');
	// While it is edited there is none.
	if (!article) return source;
	const parts = article.children;
	return [...parts].flatMap((part) => (part instanceof HTMLElement && part.tagName !== 'FOOTER' ? [textIn(part)] : [])).join('\n\n').replace(unseen, ' ');
}

/** Tells whether the focus is in an element, or something that is selected. */
function isInUse(element: HTMLElement): boolean {
	const selection = getSelection();
	return element.contains(document.activeElement) || (selection?.isCollapsed === false && selection.containsNode(element, true));
}

function scrollerOf(place: HTMLElement): HTMLElement | null {
	return place.closest<HTMLElement>('[role=log]');
}

/** Returns about how high a message will be, in pixels. A long question is folded, and a call a line. */
export function roughHeight({ role, parts }: Message): number {
	const length = parts.reduce((sum, part) => sum + (part.type === 'tool-call' ? lineLength : partText(part).length), 0);
	return frameHeight + Math.min(Math.ceil(length / lineLength), role === 'user' ? foldedLines : Infinity) * lineHeight;
}

/** Returns the ids of the newest messages that about fill a window of `height` pixels, at the end. */
export function newestIn(messages: readonly Message[], height: number): Set<string> {
	const ids = new Set<string>();
	for (let at = messages.length - 1, room = height; at >= 0 && room > 0 && ids.size < maxLast; at--) {
		ids.add(messages[at]!.id);
		room -= roughHeight(messages[at]!);
	}
	return ids;
}

/** Returns the ids of a message that was gone to and of those around it. */
export function thoseAround(messages: readonly Message[], messageId: string | undefined): Set<string> {
	const at = messageId === undefined ? -1 : messages.findIndex(({ id }) => id === messageId);
	return new Set(at < 0 ? [] : messages.slice(Math.max(0, at - around), at + around + 1).map(({ id }) => id));
}

/** Returns the text of a part of a message as it is drawn, without the buttons above code. */
function textIn(part: HTMLElement): string {
	let text = part.innerText;
	for (const { innerText } of part.querySelectorAll('figcaption')) text = text.replace(`${innerText}\n`, '');
	return text;
}
