import { untrack } from 'svelte';
import { on } from 'svelte/events';
import type { Conversation } from './conversation.svelte';
import { focusComposer, isComposerField } from './focus-composer';
import { hasOwnKeyboard } from './has-keyboard';
import type { ReadingPlace } from './reading-places';
import { unfold } from './unfold';

/** The distance from the end within which scrolling down arrives there, in pixels. */
const near = 64;

/** Time after a wheel, a finger or a key in which scrolling is still its doing, in milliseconds. */
const inputLasts = 1000;
/** Milliseconds after something was drawn again in which the scrolling may be the browser's doing. */
const drawingLasts = 1000;

/** The place at which a transcript is scrolled: it follows the newest line until the user scrolls up, or holds a message that was gone to. */
export class ScrollPosition {
	/** True while the end is followed. */
	following = $state(true);
	/** The message that was gone to: it stays where it is in the window, whatever is drawn around it, until the user scrolls. */
	private held: string | undefined;
	/** The place in the window where it is held, in pixels from the top; a third down where none is given. */
	private heldTop: number | undefined;
	/** The first word that is marked in it: what is held instead where it is far down the message. */
	private word: Range | undefined;
	/** Set once the block that the word is in was scrolled to it sideways. */
	private revealed = false;
	/** The last scroll position. */
	private top = 0;
	/** Time at which a user last did what scrolls. */
	private inputAt = -Infinity;
	/** Time at which something here last grew or shrank. */
	private resizedAt = -Infinity;
	/** True if a pointer is held down, as on the scrollbar. */
	private pressed = false;
	/** True while something is being unfolded, or folded. */
	private isFolding = false;
	/** The upper edge of the conversation in the window: lower while there is a bar above it. */
	private edge: number | undefined;
	/** The message that was in sight before others came above it, or went. */
	private seen: ReadingPlace | undefined;
	private firstId: string | undefined;

	/** `scroller` returns the element that scrolls, `isLive` tells whether an answer is written in it. */
	constructor(
		private readonly scroller: () => HTMLElement,
		private readonly conversation: () => Conversation,
		private readonly isLive: () => boolean
	) {}

	/** Listens for what scrolls, and for what is unfolded in the column of messages. Returns what ends that. */
	listen(column: HTMLElement): () => void {
		const scroller = this.scroller();
		const noteInput = () => (this.inputAt = performance.now());
		const noteWheel = ({ deltaY, ctrlKey }: WheelEvent) => {
			noteInput();
			// Firefox scrolls some frames later, from where the end is by then.
			if (deltaY < 0 && !ctrlKey && scroller.scrollTop > 0) this.following = false;
		};
		const noteKey = (event: KeyboardEvent) => {
			const { target } = event;
			const isWriting = target instanceof HTMLElement && target.matches('textarea, input, select');
			if (!isWriting) noteInput();
			if (!event.defaultPrevented && this.isForScrolling(event) && this.press(event.key)) event.preventDefault();
		};
		const off = [
			on(scroller, 'wheel', noteWheel, { passive: true }),
			on(scroller, 'touchmove', noteInput, { passive: true }),
			on(scroller, 'pointerdown', () => (this.pressed = true)),
			on(window, 'pointerup', () => (this.pressed = false)),
			on(window, 'pointercancel', () => (this.pressed = false)),
			on(window, 'keydown', noteKey),
			on(column, 'toggle', () => this.noteFolding(), { capture: true })
		];
		return () => off.forEach((end) => end());
	}

	/** For an effect before what is drawn: notes what is in sight where another message is about to be the first. */
	noteFirst(messageId: string | undefined): void {
		if (messageId === this.firstId) return;
		this.firstId = messageId;
		untrack(() => (this.seen = this.following || this.held !== undefined ? undefined : this.inSight()));
	}

	/** Scrolls to what was in sight before, or to the end, once another message is the first. */
	stayInSight(): void {
		const place = this.seen;
		this.seen = undefined;
		// Before the browser draws what it would not show, from the top of what came; not in the task that has made that, which is long enough.
		const scroller = this.scroller();
		if (this.following) requestAnimationFrame(() => scroller.isConnected && this.following && this.toEnd());
		if (!place || !this.articleOf(place.messageId)) return;
		this.holdOn(place.messageId, place.top);
		this.hold();
	}

	/** Follows the end from now on. */
	follow(): void {
		this.following = true;
		this.holdOn(undefined);
		this.toEnd();
	}

	/** Scrolls to the very top: there the browser holds no message in its place, so that nothing moves it from there. */
	toStart(): void {
		this.following = false;
		this.holdOn(undefined);
		this.scroller().scrollTop = 0;
		this.top = 0;
		// The button that was pressed may have gone.
		if (document.activeElement === document.body) this.takeFocus();
	}

	/** Takes the focus over from a button that goes: to the composer, whose keys scroll too, unless that brings up a keyboard. */
	takeFocus(): void {
		if (hasOwnKeyboard()) focusComposer();
		else this.scroller().focus({ preventScroll: true });
	}

	/** Shows a marked word of the message that was gone to. It may be drawn and marked long after: whoever has scrolled since stays there. */
	showWord(marked: Range): void {
		this.word = marked;
		unfold(marked.startContainer.parentElement);
		if (this.held === undefined) return;
		this.hold();
		this.reveal();
	}

	/** Goes to a marked word of the message that was gone to, wherever the user has scrolled since. */
	goToWord(marked: Range): void {
		this.word = marked;
		const place = marked.startContainer.parentElement;
		unfold(place);
		this.bring(place!.closest<HTMLElement>('article[data-id]')!.dataset.id!);
	}

	/** Shows a message at `top`, or at a marked word, a third down the window; then it lets the keyboard go on from there, unless it is at work in the find bar or in a panel. */
	bring(messageId: string, top?: number): void {
		this.following = false;
		this.holdOn(messageId, top);
		this.revealed = false;
		const article = this.articleOf(messageId);
		if (this.word?.collapsed || !article?.contains(this.word?.startContainer ?? null)) this.word = undefined;
		this.hold();
		this.reveal();
		const from = document.activeElement;
		if (!article || top !== undefined || from?.closest('search, aside')) return;
		article.tabIndex = -1;
		article.addEventListener('blur', () => article.removeAttribute('tabindex'), { once: true });
		article.focus({ preventScroll: true });
	}

	/** Lets go of the message that was gone to, and of the word in it. */
	letGo(): void {
		this.holdOn(undefined);
		this.word = undefined;
	}

	/** Keeps what was seen in its place, at the end or anywhere, when something around it grows or shrinks. */
	keepPlace(): void {
		this.resizedAt = performance.now();
		const now = this.scroller().getBoundingClientRect().top;
		const moved = now - (this.edge ?? now);
		this.edge = now;
		if (this.isFolding && this.left() > 1) this.following = false;
		if (this.following) this.toEnd();
		else if (this.held !== undefined) this.hold();
		else this.moveBy(moved);
	}

	/** Moves what is in sight by so many pixels, but from the very top, and takes up where the browser has put it: that is nobody's scrolling. */
	moveBy(pixels: number): void {
		if (this.following || this.held !== undefined) return;
		const scroller = this.scroller();
		if (pixels !== 0 && scroller.scrollTop > 0) scroller.scrollTop += pixels;
		this.top = scroller.scrollTop;
	}

	/**
	 * Notes that it was scrolled. However little someone scrolls up, the end is followed no more, until they scroll back to it. The browser
	 * scrolls up too: where what is drawn again is shorter for a moment, which is undone, and for its own search or a screen reader, which is a
	 * user's doing.
	 */
	noteScroll(scroller: HTMLElement): void {
		// What was scrolled in the frame in which it went is told of after it has gone.
		if (!scroller.isConnected) return;
		const by = scroller.scrollTop - this.top;
		if (Math.abs(by) > 1) this.holdOn(undefined);
		this.top = scroller.scrollTop;
		const now = performance.now();
		const isTheirs = this.pressed || now - this.inputAt < inputLasts || now - this.resizedAt > drawingLasts;
		if (by < 0 && this.left() > 1 && isTheirs) this.following = false;
		else if (this.following && this.left() > 1 && !this.isFolding) this.toEnd();
		else if (by > 0 && isTheirs && this.held === undefined && this.conversation().reachesEnd && this.left() < near) this.following = true;
	}

	/** The first message that is in sight. */
	inSight(): ReadingPlace | undefined {
		const scroller = this.scroller();
		const edge = scroller.getBoundingClientRect().top;
		const article = [...scroller.querySelectorAll<HTMLElement>('article[data-id]')].find((article) => article.getBoundingClientRect().bottom > edge);
		return article && { messageId: article.dataset.id!, top: this.topOf(article) };
	}

	/** Tells whether a key would scroll the conversation: there, or in the composer while nothing is in it. */
	private isForScrolling({ target, altKey, shiftKey, metaKey }: KeyboardEvent): boolean {
		if (altKey || shiftKey || metaKey || !(target instanceof HTMLElement)) return false;
		if (target instanceof HTMLTextAreaElement) return target.value === '' && isComposerField(target);
		return this.scroller().contains(target) && !target.matches('input, select');
	}

	/** Does what a key stands for; the browser's own scrolling ends where the chat ended when it began. */
	private press(key: string): boolean {
		if (key === 'Home') this.conversation().showStart();
		else if (key === 'End') this.conversation().showEnd();
		else if (key === 'PageUp') this.page(-1);
		else if (key === 'PageDown') this.page(1);
		else return false;
		return true;
	}

	/** Scrolls by a window, less what keeps the lines together. */
	private page(direction: -1 | 1): void {
		this.inputAt = performance.now();
		const scroller = this.scroller();
		scroller.scrollBy({ top: direction * scroller.clientHeight * 0.875 });
	}

	/** The way to the end, in pixels. */
	private left(): number {
		const { scrollHeight, scrollTop, clientHeight } = this.scroller();
		return scrollHeight - scrollTop - clientHeight;
	}

	/** Keeps the end from being followed while something is unfolded, which is to be read from where it begins; not while an answer is written. */
	private noteFolding(): void {
		this.isFolding = !this.isLive();
		requestAnimationFrame(() => requestAnimationFrame(() => (this.isFolding = false)));
	}

	private toEnd(): void {
		const scroller = this.scroller();
		scroller.scrollTop = scroller.scrollHeight;
		this.top = scroller.scrollTop;
	}

	/** Holds a message in its place, or none. Meanwhile the browser does not hold another: what it scrolls would pass for the user's doing. */
	private holdOn(messageId: string | undefined, top?: number): void {
		this.held = messageId;
		this.heldTop = top;
		this.scroller().style.overflowAnchor = messageId === undefined ? '' : 'none';
	}

	private hold(): void {
		const scroller = this.scroller();
		const article = this.held === undefined ? null : this.articleOf(this.held);
		// A word whose text is drawn again has no extent until it is marked again.
		if (article && this.heldTop !== undefined) scroller.scrollTop += this.topOf(article) - this.heldTop;
		else if (article && !this.word?.collapsed) {
			const third = scroller.clientHeight / 3;
			const start = article.getBoundingClientRect().top;
			const from = this.word?.getClientRects()[0]?.top ?? start;
			scroller.scrollTop += (from - start > third ? from : start) - scroller.getBoundingClientRect().top - third;
		}
		this.top = scroller.scrollTop;
	}

	private topOf(article: HTMLElement): number {
		return article.getBoundingClientRect().top - this.scroller().getBoundingClientRect().top;
	}

	/** Scrolls a block sideways that is too narrow for its text, to the word: once, whoever scrolls it back has read it. */
	private reveal(): void {
		if (this.revealed) return;
		const wide = this.word?.startContainer.parentElement?.closest('pre, .table');
		const at = this.word?.getClientRects()[0];
		if (!wide || !at) return;
		this.revealed = true;
		const { left, right } = wide.getBoundingClientRect();
		if (at.left < left || at.right > right) wide.scrollLeft += at.left - left - wide.clientWidth / 3;
	}

	private articleOf(messageId: string): HTMLElement | null {
		return this.scroller().querySelector(`article[data-id="${CSS.escape(messageId)}"]`);
	}
}
