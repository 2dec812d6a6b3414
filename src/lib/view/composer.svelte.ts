import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { app } from '../app';
import type { FilePart } from '../conversation/message';
import { isSameUnsent, joinFiles, joinTexts, mergeUnsent, nothingUnsent, type Unsent } from '../conversation/unsent';
import type { Outgoing } from '../engine/turns/turns';
import type { Writer } from '../engine/turns/writers';
import { AppError } from '../shared/app-error';
import { retryMs } from '../shared/retry';
import { unsentOf } from '../storage/drafts';
import { explainStorageFailure } from '../storage/storage-failure';
import { undoMilliseconds } from '../storage/undo';
import { Live } from './live.svelte';
import { notify } from './notices.svelte';
import { keepInTab, keptInTab } from './tab-text';
import { sayUnwritten, writesBeforeLeaving } from './unwritten';

/** The name of a new chat's text in what the tab keeps. */
const newChatName = 'new-chat';

/** Time after the last key until a new chat's text is kept, in milliseconds. */
const pause = 300;

/**
 * The unsent text of one session, or of a new chat: the composer, and edits of messages. A session's is kept in
 * its draft, as fast as it is typed, by the tab that may write it; what is typed before that is known, or while another tab writes,
 * is merged with the draft as soon as this tab may. A new chat's belongs to the tab, since nothing is stored before the first send [A1].
 */
export class ComposerText {
	text = $state('');
	attachments = $state.raw<FilePart[]>([]);
	/** The texts of messages that are being edited, by message id. */
	readonly edits = new SvelteMap<string, string>();
	/** Texts of these messages as they are: an edit that says the same is not kept. */
	private readonly originals: Record<string, string> = {};
	/** True if something of it is being sent that is not stored yet. */
	sending = $state(false);

	/** Text that was sent and is not stored yet. */
	private leaving = nothingUnsent;
	/** The message whose edit is being stored as a message of its own. */
	private leavingEdit: string | undefined;
	/** The draft that is stored, as far as it is known here. */
	private known = nothingUnsent;
	/** The text that is being stored, and what was here of that when it began; known once it is committed. */
	private storing: { draft: Unsent; here: Unsent } | undefined;
	/** Under which lease that was read. */
	private writer: Writer | undefined;
	/** Takes away what is said where the store refuses what is written here. */
	private complaint: (() => void) | undefined;
	private overflows = false;
	/** True if it was said that two texts became one, since that was stored last. */
	private toldMerged = false;
	private syncing: Promise<void> | undefined;
	private again = false;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** Functions that free the files of a new chat, by attachment id. */
	private held: Record<string, () => void> = {};
	private stored: Live<Unsent> | undefined;

	constructor(private readonly sessionId: string | undefined) {
		if (sessionId !== undefined) this.stored = liveDraft(sessionId);
	}

	get empty(): boolean {
		return this.text.trim() === '' && this.attachments.length === 0;
	}

	/** All that is to be kept: also what is being sent, in front of what was written since. */
	get kept(): Unsent {
		const edits = [...this.edits].filter(([id, text]) => text !== this.originals[id] && id !== this.leavingEdit);
		return {
			text: joinTexts(this.leaving.text, this.text),
			attachments: joinFiles(this.leaving.attachments, this.attachments),
			...(edits.length > 0 ? { edits: Object.fromEntries(edits) } : {})
		};
	}

	/** Tells whether anything was written here that is not stored; of a new chat, whether it is too long to be kept in the tab. */
	get unwritten(): boolean {
		return this.sessionId === undefined ? this.overflows : !isSameUnsent(this.known, this.kept);
	}

	/** Tells whether the store has refused what is written here. */
	get isRefused(): boolean {
		return this.complaint !== undefined && this.unwritten;
	}

	/** Tells that the user has typed. */
	changed(): void {
		if (this.sessionId !== undefined) return void this.sync();
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.sync(), pause);
	}

	attach(files: FilePart[]): void {
		this.attachments = joinFiles(this.attachments, files);
		this.changed();
	}

	detach(attachmentId: string): void {
		this.attachments = this.attachments.filter((file) => file.attachmentId !== attachmentId);
		this.changed();
	}

	/** Puts `text` in the place of what is there. */
	write(text: string): void {
		this.text = text;
		this.changed();
	}

	/** Puts `text` in front of what is there. */
	putBack(text: string): void {
		this.write(joinTexts(text, this.text));
	}

	/** Begins or changes the edit of a message, which says `original` as it is. */
	edit(messageId: string, text: string, original: string): void {
		this.originals[messageId] = original;
		this.edits.set(messageId, text);
		this.changed();
	}

	endEdit(messageId: string): void {
		this.edits.delete(messageId);
		this.changed();
	}

	/** Ends an edit without sending it, and offers it back for a while if it differs from what the message says. */
	discardEdit(messageId: string, original: string): void {
		const written = this.edits.get(messageId) ?? '';
		this.endEdit(messageId);
		if (written === original || written.trim() === '') return;
		const putBack = () => {
			const now = this.edits.get(messageId) ?? original;
			this.edit(messageId, now === original ? written : joinTexts(written, now), original);
		};
		notify({
			text: 'Edit discarded.',
			action: { label: 'Undo', run: putBack },
			milliseconds: undoMilliseconds
		});
	}

	/**
	 * Sends what the composer holds, while nothing else is sent from here. It leaves at once; where `send` rejects, it returns in
	 * front of what was written since.
	 */
	async send(send: (outgoing: Outgoing) => Promise<string>): Promise<string> {
		const { text, attachments } = this;
		this.leaving = { text, attachments };
		this.text = '';
		this.attachments = [];
		const arrive = () => (this.leaving = nothingUnsent);
		const unsent = (stored: Unsent) => {
			// What was written since is the new chat's until it is given to the session; the tab keeps it until then.
			if (this.sessionId === undefined) return nothingUnsent;
			arrive();
			return this.draftOver(stored);
		};
		return this.sends(
			() => send({ text: text.trim(), attachments, unsent }).finally(arrive),
			() => {
				this.text = joinTexts(text, this.text);
				this.attachments = joinFiles(attachments, this.attachments);
			}
		);
	}

	/** Sends the edit of a message with its files, while nothing else is sent from here. The edit ends when that is stored. */
	async sendEdit(messageId: string, attachments: FilePart[], send: (outgoing: Outgoing) => Promise<string>): Promise<string> {
		const text = this.edits.get(messageId) ?? '';
		const unsent = (stored: Unsent) => {
			this.leavingEdit = messageId;
			return this.draftOver(stored);
		};
		const stay = () => (this.leavingEdit = undefined);
		return this.sends(async () => {
			const id = await send({ text: text.trim(), attachments, unsent });
			this.edits.delete(messageId);
			stay();
			return id;
		}, stay);
	}

	/** Gives what was written in this new chat to the session that its first message has made. */
	giveTo(session: ComposerText): void {
		const { text, attachments } = this;
		this.text = '';
		this.attachments = [];
		session.text = joinTexts(session.text, text);
		session.attachments = joinFiles(session.attachments, attachments);
		// The tab keeps it until it was offered to the store.
		void session.sync().then(() => this.sync());
	}

	/** Takes out what is written here. The result puts it back, once, in front of what was written since. */
	takeOut(): () => void {
		let { text, attachments } = this;
		this.text = '';
		this.attachments = [];
		void this.sync();
		return () => {
			this.attachments = joinFiles(attachments, this.attachments);
			this.putBack(text);
			[text, attachments] = ['', []];
		};
	}

	/** Shows what the tab that writes has stored. To be called in an effect: it follows that. */
	follow(): void {
		const stored = this.stored?.current;
		if (stored) untrack(() => this.takeUp(stored));
	}

	/** Resolves when all that is here is written, as far as this tab may write it, and what another tab has stored is here. */
	sync(): Promise<void> {
		const { sessionId } = this;
		if (sessionId === undefined) return Promise.resolve(this.keep());
		this.again = true;
		return (this.syncing ??= this.store(sessionId).finally(() => (this.syncing = undefined)));
	}

	/** Takes up what is stored, after something of it was purged. */
	refresh(): Promise<void> {
		this.writer = undefined;
		return this.sync();
	}

	/** Shows what this tab has kept of a new chat. */
	restore(): void {
		const { text, attachments } = keptInTab<Unsent>(newChatName) ?? nothingUnsent;
		this.text = text;
		this.attachments = attachments;
		this.hold();
	}

	/** One write at a time: what is typed meanwhile is written next, as a whole. */
	private async store(sessionId: string): Promise<void> {
		try {
			while (this.again) {
				this.again = false;
				// The lease is held until all is written, also where the screen shows another session by then.
				const lease = await app.writers.open(sessionId);
				if (!lease) return;
				try {
					await this.writeAs(sessionId, lease.writer);
				} finally {
					lease.release();
				}
			}
		} catch (error) {
			this.storing = undefined;
			this.complain(explainStorageFailure(error));
			clearTimeout(this.timer);
			this.timer = setTimeout(() => void this.sync(), retryMs);
		}
	}

	private async writeAs(sessionId: string, writer: Writer): Promise<void> {
		if (writer !== this.writer) {
			this.takeUp(unsentOf(await app.drafts.get(sessionId)));
			// Who follows again asks again: what was read before is older than what is written now.
			this.stored = liveDraft(sessionId);
		}
		this.writer = writer;
		while (this.unwritten) {
			await app.drafts.set(writer, (stored) => this.draftOver(stored));
			this.settle();
		}
		this.withdraw();
		this.toldMerged = false;
	}

	/** The draft that comes of what is stored and what is here: something else than this tab may have stored it. */
	private draftOver(stored: Unsent): Unsent {
		const here = this.kept;
		const isKnown = isSameUnsent(stored, this.known) || (this.storing && isSameUnsent(stored, this.storing.draft));
		this.storing = { draft: isKnown ? here : mergeUnsent(this.known, stored, here), here };
		return this.storing.draft;
	}

	/** Notes that what was being stored is stored. */
	private settle(): void {
		if (!this.storing) return;
		const { draft, here } = this.storing;
		this.storing = undefined;
		this.known = here;
		this.takeUp(draft);
	}

	/** Merges what another tab has stored with what was written here. */
	private takeUp(stored: Unsent): void {
		const here: Unsent = { text: this.text, attachments: this.attachments, edits: Object.fromEntries(this.edits) };
		const merged = mergeUnsent(this.known, stored, here);
		this.known = stored;
		this.text = merged.text;
		this.attachments = merged.attachments;
		for (const id of this.edits.keys()) if (merged.edits?.[id] === undefined) this.edits.delete(id);
		for (const [id, text] of Object.entries(merged.edits ?? {})) this.edits.set(id, text);
		if (merged.text !== stored.text && merged.text !== here.text && !this.toldMerged) {
			this.toldMerged = true;
			notify({ text: 'This message was also written in another tab. Both texts are in it now.' });
		}
	}

	private async sends(send: () => Promise<string>, restore: () => void): Promise<string> {
		this.sending = true;
		try {
			const id = await send();
			this.settle();
			return id;
		} catch (error) {
			this.storing = undefined;
			restore();
			throw error;
		} finally {
			this.sending = false;
			void this.sync();
		}
	}

	private keep(): void {
		clearTimeout(this.timer);
		this.hold();
		this.overflows = !keepInTab(newChatName, isSameUnsent(this.kept, nothingUnsent) ? undefined : this.kept);
		if (!this.overflows) return this.withdraw();
		this.complaint ??= notify({ text: 'This text is too long to be kept if the page is reloaded before it is sent.' });
	}

	/** Keeps the files of a new chat from being swept: no row uses them yet. */
	private hold(): void {
		const before = this.held;
		this.held = Object.fromEntries(this.kept.attachments.map(({ attachmentId: id }) => [id, before[id] ?? app.holdFile(id)]));
		for (const [id, free] of Object.entries(before)) if (!this.held[id]) free();
	}

	/** Says once that what was typed is not kept beyond the page; it stays in the composer. */
	private complain(failure: unknown): void {
		if (!(failure instanceof AppError)) throw failure;
		if (failure.code === 'taken-over') return;
		this.complaint ??= sayUnwritten(failure);
	}

	private withdraw(): void {
		this.complaint?.();
		this.complaint = undefined;
	}
}

/** Makes a query of what is stored of a session's composer. To be called outside of effects, which do not follow what they make themselves. */
function liveDraft(sessionId: string): Live<Unsent> {
	return new Live(async () => unsentOf(await app.drafts.get(sessionId)));
}

export const newChat = new ComposerText(undefined);
newChat.restore();
// A page that comes back whole has what it held when it was left; the tab may have sent that since.
addEventListener('pageshow', ({ persisted }) => persisted && !newChat.unwritten && newChat.restore());

/* A session’s id may be any text that an address names. */
const composers = Object.create(null) as Record<string, ComposerText>;

/** The composer of a session, the same as long as the page lives. */
export function composerFor(sessionId: string | undefined): ComposerText {
	if (sessionId === undefined) return newChat;
	return (composers[sessionId] ??= new ComposerText(sessionId));
}

// What the store refuses is nowhere but here.
addEventListener('beforeunload', (event) => {
	if ([newChat, ...Object.values(composers)].some((composer) => composer.isRefused)) event.preventDefault();
});

writesBeforeLeaving(async () => {
	const unwritten = () => Object.values(composers).filter((composer) => composer.unwritten);
	await Promise.all([newChat, ...unwritten()].map((composer) => composer.sync()));
	return ![newChat, ...unwritten()].some((composer) => composer.unwritten);
});
