import { untrack } from 'svelte';
import * as v from 'valibot';
import { mergeTexts } from '../conversation/merge-unsent';
import type { AppError } from '../shared/app-error';
import { retryMs } from '../shared/retry';
import { failureOf } from './attempt';
import { forgetLeft } from '../storage/left-texts';
import { leaveBehind, leftBehind, takeBack } from './left-behind';
import { notify } from './notices.svelte';
import { sayUnwritten } from './say-unwritten';
import { writesBeforeLeaving } from './unwritten';

const text = v.string();
/** Text that a page had not written when it went, what it knew to be stored, and its write that may be. */
const leftText = v.object({ known: text, here: text, pending: v.exactOptional(v.object({ written: text, here: text })) });
type LeftText = v.InferOutput<typeof leftText>;

/**
 * A text that is stored as fast as it is typed: one write at a time, and what is typed meanwhile goes with the next. What the store
 * refuses is tried again. What others store shows here, but never in the place of what is not written yet: that is merged with it.
 */
export class TypedText {
	text = $state('');
	/** The text that is stored, as far as it is known here. */
	private known = '';
	private writing: Promise<void> | undefined;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** Takes away what is said where the store refuses it. */
	private complaint: (() => void) | undefined;
	/** Ends that it is written before the page goes; there while something is unwritten. */
	private forget: (() => void) | undefined;
	/** Work on the stored text, before the end of which nothing is written. */
	private held: Promise<unknown> | undefined;
	/** The write that is under way, and may be stored without this page learning of it. */
	private pending: LeftText['pending'];
	/** True if it was asked what other pages have left, and keys of what is merged here and not stored yet. */
	private hasAsked = false;
	/** True if something was left for the next page. */
	private hasLeft = false;
	private readonly takenUp: string[] = [];

	/**
	 * `write` stores what `next` makes of what is stored by then, undefined where nothing is, and returns it: in one transaction.
	 * `nameOfLeft` is the name of what a page leaves of it; `what` names the text in a sentence; a stored text that `isSame` as the one that is
	 * known here does not take its place.
	 */
	constructor(
		private readonly write: (next: (stored: string | undefined) => string) => Promise<string>,
		private readonly nameOfLeft: () => string,
		private readonly what?: string,
		private readonly isSame: (stored: string, known: string) => boolean = (stored, known) => stored === known
	) {}

	get unwritten(): boolean {
		return this.forget !== undefined;
	}

	/** Takes over what is stored. */
	follow(stored: string): void {
		if (!this.unwritten && !this.isSame(stored, this.known)) this.text = this.known = stored;
		void untrack(() => this.takeUpLeft());
	}

	/** Tells that the user has typed. */
	changed(): void {
		const write = async () => {
			await this.flush();
			return !this.unwritten;
		};
		this.forget ??= writesBeforeLeaving(write, () => this.leave());
		void this.flush();
	}

	/** Leaves what is not written where the next page finds it. Returns whether it could. */
	private leave(): boolean {
		const { known, text: here, pending } = this;
		const isLeft = leaveBehind(this.nameOfLeft(), { known, here, ...(pending ? { pending } : {}) } satisfies LeftText);
		this.hasLeft ||= isLeft;
		if (isLeft) forgetLeft(this.takenUp.splice(0));
		return isLeft;
	}

	/** Merges, once, what pages that have gone could not write. It is left again, with what is here, until it is written. */
	private async takeUpLeft(): Promise<void> {
		if (this.hasAsked) return;
		this.hasAsked = true;
		const again = () => {
			this.hasAsked = false;
			void this.takeUpLeft();
		};
		let left: [key: string, text: LeftText][];
		try {
			left = await leftBehind(this.nameOfLeft(), leftText, again);
		} catch (error) {
			reportError(error);
			setTimeout(again, retryMs);
			return;
		}
		for (const [key, { known, here, pending }] of left) {
			// Of two that have gone each may have asked.
			if (this.takenUp.includes(key)) continue;
			const base = pending?.written === this.known ? pending.here : known;
			this.text = mergeTexts(base, here, this.text);
			this.takenUp.push(key);
		}
		if (this.text !== this.known) {
			this.changed();
			this.leave();
		} else forgetLeft(this.takenUp.splice(0));
	}

	/** Resolves when everything that was typed is written, or could not be. */
	flush(): Promise<void> {
		if (!this.unwritten) return Promise.resolve();
		return (this.writing ??= this.store().finally(() => (this.writing = undefined)));
	}

	/** Does something with the stored text once everything is written that can be. What is typed meanwhile is written after it. */
	async between<T>(work: () => Promise<T>): Promise<T> {
		void this.flush();
		while (this.writing ?? this.held) await (this.writing ?? this.held);
		const done = work();
		this.held = done.catch(() => undefined);
		try {
			return await done;
		} finally {
			this.held = undefined;
		}
	}

	/** Forgets what was typed and is not written: what it belongs to is gone. */
	drop(): void {
		clearTimeout(this.timer);
		this.complaint?.();
		this.forget?.();
		this.complaint = this.forget = undefined;
		forgetLeft(this.takenUp.splice(0));
		if (this.hasLeft) takeBack(this.nameOfLeft());
		this.hasLeft = false;
	}

	private async store(): Promise<void> {
		try {
			while (this.unwritten) {
				if (this.held) {
					await this.held;
					continue;
				}
				const here = this.text;
				const stored = await this.write((stored = this.known) => {
					const written = mergeTexts(this.known, this.isSame(stored, this.known) ? this.known : stored, here);
					this.pending = { written, here };
					return written;
				});
				this.pending = undefined;
				this.text = mergeTexts(here, stored, this.text);
				this.known = stored;
				if (this.text === stored) this.drop();
			}
		} catch (error) {
			// It is known not to be stored.
			this.pending = undefined;
			const failure = failureOf(error);
			if (failure.code === 'session-absent') {
				this.drop();
				notify({ text: failure.message });
				return;
			}
			this.complaint ??= complain(failure, this.what);
			clearTimeout(this.timer);
			this.timer = setTimeout(() => void this.flush(), retryMs);
		}
	}
}

/** Says it, and has the browser ask before the page is left, until what it returns is called. */
function complain(failure: AppError, what: string | undefined): () => void {
	const dismiss = sayUnwritten(failure, what);
	const stay = (event: BeforeUnloadEvent) => event.preventDefault();
	addEventListener('beforeunload', stay);
	return () => {
		dismiss();
		removeEventListener('beforeunload', stay);
	};
}
