import { untrack } from 'svelte';
import * as v from 'valibot';
import { conversations } from '../app/conversations';
import { holdsUnsent, mergeUnsent } from '../conversation/merge-unsent';
import type { FilePart } from '../conversation/message';
import { isSameUnsent, joinFiles, joinTexts, joinUnsent, nothingUnsent, without, type Unsent } from '../conversation/unsent';
import type { Outgoing } from '../engine/turns/outgoing-messages';
import type { Writer } from '../engine/turns/writers';
import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { retryMs } from '../shared/retry';
import { unsentOf } from '../storage/drafts';
import { id, text } from '../storage/tables/fields';
import { filePart } from '../storage/tables/messages';
import { undoMilliseconds } from '../storage/undo';
import { failureOf } from './attempt';
import { ComposerText, type Sent } from './composer.svelte';
import { forgetLeft, nameOfLeft } from '../storage/left-texts';
import { leaveBehind, leftBehind, takeBack } from './left-behind';
import { Live } from './live.svelte';
import { notify } from './notices.svelte';
import { sayUnwritten } from './say-unwritten';
import { writesBeforeLeaving } from './unwritten';

const unsent = v.object({ text, attachments: v.array(filePart), edits: v.exactOptional(v.record(id, text)) });
const leftText = v.object({
	known: unsent,
	pending: v.array(v.object({ draft: unsent, here: unsent })),
	here: unsent,
	sent: v.exactOptional(v.object({ ...unsent.entries, id }))
});

/** Text that a page had not written when it went: what it knew to be stored, its writes that may be, its text, and what it sent. */
type LeftText = v.InferOutput<typeof leftText>;

/** The place that an edit was begun from: the focus goes back there where it ends unsent. */
export type EditOrigin = 'message' | 'composer';

/** A write of a draft: what it stores, and what was here of that when it began. */
interface DraftWrite {
	number: number;
	draft: Unsent;
	here: Unsent;
}

/**
 * The unsent text of one session: the composer, and edits of messages. It is kept in the session's draft, as fast as it is typed, by the
 * tab that may write it; what is typed before that is known, or while another tab writes, is merged with the draft as soon as this tab may.
 */
export class SessionText extends ComposerText {
	/** The texts of messages that are being edited, by message id. */
	private edits = $state.raw<Readonly<Record<string, string>>>({});
	/** The edit whose field is to have the focus, until it has. */
	begunEdit = $state.raw<{ messageId: string; from: EditOrigin } | undefined>();
	/** Texts of these messages as they are: an edit that says the same is not kept. */
	private readonly originals: Record<string, string> = {};

	/** Offers to put edits back, which may have gone by now. */
	private readonly offers: Record<string, () => void> = {};

	/** The message whose edit is being stored as a message of its own. */
	private leavingEdit: string | undefined;
	/** The draft that is stored, as far as it is known here, and the lease under which it was read. */
	private known = nothingUnsent;
	private writer: Writer | undefined;
	/** Writes that may be stored and are not known to be, in their order, which is that of their transactions. */
	private pending: DraftWrite[] = [];
	/** The newest write that is known to be stored. */
	private settled = 0;
	private begun = 0;
	/** The write of the draft beside the message that is being sent. */
	private besideSent: DraftWrite | undefined;
	/** True if another tab has taken what is being sent: it does not return here. */
	private isTaken = false;
	/** True if this tab could not write what is here, since another has the session: that tab does not know of it. */
	private isBarred = false;
	/** True if it was said that two texts became one, since that was stored last. */
	private toldMerged = false;
	/** True if what is stored was read: only from then on another tab can have written meanwhile. */
	private hasRead = false;
	/** Text that was left for the next page, and keys of what other pages have left that is merged here and not stored yet. */
	private left: Unsent | undefined;
	private readonly takenUp: string[] = [];
	private syncing: Promise<void> | undefined;
	private again = false;
	private stored: Live<Unsent>;

	constructor(private readonly sessionId: string) {
		super();
		this.stored = liveDraft(sessionId);
	}

	override get kept(): Unsent {
		const { leaving, queued = nothingUnsent, command, text, attachments } = this;
		return { ...[leaving, queued, command, { text, attachments }].reduce(joinUnsent), ...this.editsWithout((id) => id === this.leavingEdit) };
	}

	/** All that is shown, with edits that change nothing. */
	private get shown(): Unsent {
		return { text: this.text, attachments: this.attachments, edits: this.edits };
	}

	private get nameOfLeft(): string {
		return nameOfLeft('draft', this.sessionId);
	}

	/** Tells whether anything was written here that is not stored. */
	get unwritten(): boolean {
		return !isSameUnsent(this.known, this.kept);
	}

	/** Tells whether the text is stored, and no other can be: also one that was typed back may follow one that is being written. */
	get isSettled(): boolean {
		return !this.unwritten && this.pending.length === 0;
	}

	/** Tells whether all that is here is stored with a session that is there, or can be brought back. */
	async comesBack(): Promise<boolean> {
		return !this.unwritten && !(await conversations.drafts.isGone(this.sessionId));
	}

	override get isLeft(): boolean {
		return this.left !== undefined && isSameUnsent(this.left, this.kept);
	}

	override get isRefused(): boolean {
		return super.isRefused || (this.isBarred && this.unwritten);
	}

	changed(): void {
		void this.sync();
	}

	/** Returns the text of an edit; undefined where the message is not being edited. */
	editOf(messageId: string): string | undefined {
		return Object.hasOwn(this.edits, messageId) ? this.edits[messageId] : undefined;
	}

	/** Begins or changes the edit of a message, which says `original` as it is. */
	edit(messageId: string, text: string, original: string): void {
		this.originals[messageId] = original;
		this.edits = { ...this.edits, [messageId]: text };
		this.changed();
	}

	endEdit(messageId: string): void {
		this.forgetEdit(messageId);
		this.changed();
	}

	/** Ends an edit, if there is one. The result puts it back as it was, which may be newer than what is stored of it. */
	takeOutEdit(messageId: string): () => void {
		const written = this.editOf(messageId);
		this.withdrawEdits(messageId);
		this.endEdit(messageId);
		return () => {
			if (written === undefined || this.editOf(messageId) === written) return;
			this.edits = { ...this.edits, [messageId]: written };
			this.changed();
		};
	}

	/** Ends an edit without sending it, and offers it back for a while if it differs from what the message says. */
	discardEdit(messageId: string, original: string): void {
		const written = this.editOf(messageId) ?? '';
		this.endEdit(messageId);
		if (written === original || written.trim() === '') return;
		const putBack = () => {
			const now = this.editOf(messageId) ?? original;
			this.edit(messageId, now === original ? written : joinTexts(written, now), original);
			this.begunEdit = { messageId, from: 'message' };
		};
		this.withdrawEdits(messageId);
		const withdraw = notify({ text: 'Edit discarded.', action: { label: 'Undo', run: putBack }, milliseconds: undoMilliseconds });
		this.offers[messageId] = withdraw;
	}

	/** Offers an edit back no more: another was sent in its place, or its message has gone. Without an id, no edit. */
	withdrawEdits(messageId?: string): void {
		for (const [id, withdraw] of Object.entries(this.offers)) if (id === (messageId ?? id)) withdraw();
	}

	/** Sends the edit of a message with its files, while nothing else is sent from here. The edit ends when that is stored. */
	async sendEdit(messageId: string, attachments: FilePart[], send: (outgoing: Outgoing) => Promise<string>): Promise<string> {
		const text = this.editOf(messageId) ?? '';
		const unsent = (stored: Unsent) => {
			this.leavingEdit = messageId;
			return this.draftWithSent(stored);
		};
		const stay = () => (this.leavingEdit = undefined);
		const sent = { id: newId(), text: '', attachments: [], edits: { [messageId]: text } };
		return this.sends(
			sent,
			async () => {
				const id = await send({ id: sent.id, text: trimLines(text), attachments, unsent });
				if (this.editOf(messageId) === text) this.forgetEdit(messageId);
				this.withdrawEdits(messageId);
				stay();
				return id;
			},
			stay
		);
	}

	/** Puts the text that the composer begins with, and these of its files, into the queue, after what is there. It stays in the draft. */
	enqueue({ text, attachments }: Unsent): void {
		this.text = this.text.slice(text.length);
		this.attachments = without(this.attachments, attachments);
		this.queued = joinUnsent(this.queued ?? nothingUnsent, { text, attachments });
		this.changed();
	}

	/** Takes out what is queued. The result puts it into the composer, once, in front of what was written since. */
	takeOutQueued(): () => void {
		let { text, attachments } = this.queued ?? nothingUnsent;
		this.queued = undefined;
		this.changed();
		return () => {
			this.attachments = joinFiles(attachments, this.attachments);
			this.putBack(text);
			[text, attachments] = ['', []];
		};
	}

	/** Sends what is queued, while nothing else is sent from here; where `send` rejects, it returns to the composer. */
	sendQueued(send: (outgoing: Outgoing) => Promise<string>): Promise<string> {
		const queued = this.queued ?? nothingUnsent;
		this.queued = undefined;
		return this.sendOut(queued, send);
	}

	/** Tells whether the edit of a message is being sent: it can't be changed until that is over. */
	isLeaving(messageId: string): boolean {
		return this.sending && this.sent?.edits?.[messageId] !== undefined;
	}

	/** Leaves what is not written where the next page finds it. Returns whether it could. */
	leave(): boolean {
		if (this.isSettled && !this.sent) {
			this.takeBackLeft();
			return true;
		}
		const { known, pending, sent, queued = nothingUnsent, command, text, attachments } = this;
		const here = { ...[queued, command, { text, attachments }].reduce(joinUnsent), ...this.editsWithout((id) => sent?.edits?.[id] !== undefined) };
		const isLeft = leaveBehind(this.nameOfLeft, { known, pending, here, ...(sent && !this.isTaken ? { sent } : {}) } satisfies LeftText);
		if (isLeft) {
			this.left = here;
			forgetLeft(this.takenUp.splice(0));
		}
		return isLeft;
	}

	follow(): void {
		const stored = this.stored.current;
		if (stored) untrack(() => this.takeUp(stored));
	}

	sync(): Promise<void> {
		this.again = true;
		return (this.syncing ??= this.store().finally(() => (this.syncing = undefined)));
	}

	/** Takes up what is stored, after something of it was purged. */
	refresh(): Promise<void> {
		this.writer = undefined;
		return this.sync();
	}

	private editsWithout(isLeft: (messageId: string) => boolean): Pick<Unsent, 'edits'> {
		const edits = Object.entries(this.edits).filter(([id, text]) => text !== this.originals[id] && !isLeft(id));
		return edits.length > 0 ? { edits: Object.fromEntries(edits) } : {};
	}

	/** Throws an AppError (`sent-elsewhere`) where another tab has taken what is being sent: that is not sent a second time. */
	protected draftBesideSent(stored: Unsent): Unsent {
		if (this.isTaken) throw new AppError('sent-elsewhere', 'This message was sent or changed in another tab.');
		this.leaving = nothingUnsent;
		return this.draftWithSent(stored);
	}

	protected override sends(sent: Sent, send: () => Promise<string>, restore: () => void): Promise<string> {
		this.isTaken = false;
		return super.sends(
			sent,
			async () => {
				const id = await send();
				this.settle(this.besideSent);
				return id;
			},
			() => {
				this.drop(this.besideSent);
				if (!this.isTaken) restore();
			}
		);
	}

	private draftWithSent(stored: Unsent): Unsent {
		// The transaction may be done twice.
		this.drop(this.besideSent);
		this.besideSent = this.draftOver(stored);
		return this.besideSent.draft;
	}

	/** One write at a time: what is typed meanwhile is written next, as a whole. */
	private async store(): Promise<void> {
		try {
			while (this.again) {
				this.again = false;
				// The lease is held until all is written, also where the screen shows another session by then.
				const lease = await conversations.writers.open(this.sessionId);
				this.isBarred = !lease;
				if (!lease) return;
				try {
					await this.writeAs(lease.writer);
				} finally {
					lease.release();
				}
			}
		} catch (error) {
			this.syncIn(retryMs);
			this.complain(failureOf(error));
		}
	}

	private async writeAs(writer: Writer): Promise<void> {
		if (writer !== this.writer) {
			const stored = unsentOf(await conversations.drafts.get(this.sessionId));
			this.takeUp(stored);
			this.stored = liveDraft(this.sessionId);
			// Before it is asked for what others have left, by which it may be that this is to be done again.
			this.writer = writer;
			try {
				await this.takeUpLeft(stored);
			} catch (error) {
				// It is asked for again with the next try.
				this.writer = undefined;
				throw error;
			}
		}
		while (this.unwritten) {
			let write: DraftWrite | undefined;
			try {
				await conversations.drafts.set(writer, (stored) => (write = this.draftOver(stored)).draft);
			} catch (error) {
				this.drop(write);
				throw error;
			}
			this.settle(write);
		}
		forgetLeft(this.takenUp.splice(0));
		this.takeBackLeft();
		this.withdraw();
		this.toldMerged = false;
	}

	private takeBackLeft(): void {
		if (this.left) takeBack(this.nameOfLeft);
		this.left = undefined;
	}

	/** Merges what pages that have gone could not write, where this is `stored` now. It is left again, with what is here, until it is written. */
	private async takeUpLeft(stored: Unsent): Promise<void> {
		for (const [key, { known, pending, here, sent }] of await leftBehind(this.nameOfLeft, leftText, () => void this.refresh())) {
			if (this.takenUp.includes(key)) continue;
			const isStored = sent !== undefined && (await conversations.messages.get(sent.id)) !== undefined;
			const left = sent && !isStored ? joinUnsent(sent, here) : here;
			const base = pending.find(({ draft }) => isSameUnsent(draft, stored))?.here ?? known;
			this.show(mergeUnsent(base, left, this.shown));
			this.takenUp.push(key);
			this.leave();
		}
	}

	/** The draft that comes of what is stored and what is here: something else than this tab may have stored it. */
	private draftOver(stored: Unsent): DraftWrite {
		const here = this.kept;
		const write = { number: ++this.begun, draft: mergeUnsent(this.pendingAs(stored)?.here ?? this.known, stored, here), here };
		this.pending.push(write);
		return write;
	}

	private pendingAs(stored: Unsent): DraftWrite | undefined {
		return this.pending.find(({ draft }) => isSameUnsent(draft, stored));
	}

	/** Notes that a write is stored, and with it those before. */
	private settle(write: DraftWrite | undefined): void {
		if (!write || write.number < this.settled) return;
		this.settled = write.number;
		this.pending = this.pending.filter(({ number }) => number > write.number);
		this.known = write.here;
		this.takeUp(write.draft);
		// Who follows asks again: what was read before is older than what is written now, and would pass for another tab's.
		this.stored = liveDraft(this.sessionId);
	}

	/** Notes that a write was refused. */
	private drop(write: DraftWrite | undefined): void {
		this.pending = this.pending.filter((other) => other !== write);
	}

	/** Merges what another tab has stored with what was written here. */
	private takeUp(stored: Unsent): void {
		// Of a write of this tab that is not known to be stored yet, too, it is known what was here.
		const base = this.pendingAs(stored)?.here ?? this.known;
		// Files have no order that a user gave them.
		const isComposerSame = base.text === stored.text && [...without(base.attachments, stored.attachments), ...without(stored.attachments, base.attachments)].length === 0;
		const here = isComposerSame ? this.shown : joinUnsent(this.takeBackKept(base), this.shown);
		const merged = mergeUnsent(base, stored, here);
		this.known = stored;
		this.show(merged);
		if (merged.text !== stored.text && merged.text !== here.text && this.hasRead && !this.toldMerged) {
			this.toldMerged = true;
			notify({ text: 'This message was also written in another tab. Both texts are in it now.' });
		}
		this.hasRead = true;
	}

	/**
	 * Takes back what has left the composer and is in the draft, as it was in `base`: another tab has changed that since, and may have sent it. It is text as any other of the draft then,
	 * and does not return a second time.
	 */
	private takeBackKept(base: Unsent): Unsent {
		const { leaving, queued = nothingUnsent, command } = this;
		const kept = [leaving, queued, command].filter((left) => holdsUnsent(base, left));
		if (kept.includes(queued)) this.queued = undefined;
		if (kept.includes(command)) this.command = nothingUnsent;
		if (kept.includes(leaving) && leaving !== nothingUnsent) [this.leaving, this.isTaken] = [nothingUnsent, true];
		return kept.reduce(joinUnsent, nothingUnsent);
	}

	private show({ text, attachments, edits = {} }: Unsent): void {
		this.text = text;
		this.attachments = attachments;
		this.edits = edits;
	}

	private forgetEdit(messageId: string): void {
		this.edits = Object.fromEntries(Object.entries(this.edits).filter(([id]) => id !== messageId));
	}

	/** Says once that what was typed is not kept beyond the page; it stays in the composer. */
	private complain(failure: AppError): void {
		if (failure.code === 'taken-over') this.isBarred = true;
		else this.complaint ??= sayUnwritten(failure);
	}
}

/** Returns a text without blank lines at its ends: the first line of code keeps its indent. */
function trimLines(text: string): string {
	return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '');
}

/** Makes a query of what is stored of a session's composer. To be called outside of effects, which do not follow what they make themselves. */
function liveDraft(sessionId: string): Live<Unsent> {
	return new Live(async () => unsentOf(await conversations.drafts.get(sessionId)));
}

/* A session’s id may be any text that an address names. */
const texts = Object.create(null) as Record<string, SessionText>;

/** The composer of a session, the same as long as the page lives. */
export function textOfSession(sessionId: string): SessionText {
	return (texts[sessionId] ??= new SessionText(sessionId));
}

// What the store refuses, or another tab keeps from being stored, is nowhere but here.
addEventListener('beforeunload', (event) => {
	if (Object.values(texts).some((text) => text.isRefused)) event.preventDefault();
});

writesBeforeLeaving(async () => {
	const all = Object.values(texts);
	await Promise.all(all.filter((text) => !text.isSettled).map((text) => text.sync()));
	return !all.some((text) => text.unwritten);
}, leaveAll);

function leaveAll(): boolean {
	return Object.values(texts)
		.map((text) => text.leave())
		.every(Boolean);
}
