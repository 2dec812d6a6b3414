import { app } from '../app';
import type { FilePart } from '../conversation/message';
import { isSameUnsent, joinFiles, joinTexts, joinUnsent, nothingUnsent, type Unsent } from '../conversation/unsent';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import type { Outgoing } from '../engine/turns/outgoing-messages';
import { newId } from '../shared/id';
import { retryMs } from '../shared/retry';
import { notify } from './notices.svelte';
import { source } from './source.svelte';
import { keepInTab, keptInTab } from './tab-text';
import { writesBeforeLeaving } from './unwritten';

/** The name of a new chat's text in what the tab keeps. */
const newChatName = 'new-chat';

/** Time after the last key until a new chat's text is kept, in milliseconds. */
const pause = 300;

/** A message that is being sent, by id, and what it takes from the composer and from edits. */
export interface Sent extends Unsent {
	id: string;
	/** The choices that it takes for the chat that it begins. */
	begins?: ChatBeginning;
}

/** The unsent text of one composer, which is kept as it is typed: a new chat's in the tab (`NewChatText`), a session's in its draft (`SessionText`). */
export abstract class ComposerText {
	text = $state('');
	attachments = $state.raw<FilePart[]>([]);
	/** True if something of it is being sent that is not stored yet. */
	sending = $state(false);
	/** Message that waits for the end of the answer that is being written; only a session has one. */
	queued = $state.raw<Unsent | undefined>();
	/** Stands for what was typed here before: a field that can undo that shows no other composer. */
	history = $state.raw({});

	/** Text that was sent and is not stored yet. */
	protected leaving = nothingUnsent;
	/** The command that runs, until what comes of it is here. */
	protected command = nothingUnsent;
	/** The message that is being sent, until it is known whether it is stored. */
	protected sent: Sent | undefined;
	/** Takes away what is said where what is written here can't be kept. */
	protected complaint: (() => void) | undefined;
	protected timer: ReturnType<typeof setTimeout> | undefined;

	/** Tells whether anything was written here that would be lost with the page. */
	abstract get unwritten(): boolean;

	/** Tells that the user has typed. */
	abstract changed(): void;

	/** Resolves when all that is here is kept, as far as this tab may, and what another tab has stored is here. */
	abstract sync(): Promise<void>;

	/** Shows what another tab has stored. To be called in an effect: it follows that. */
	abstract follow(): void;

	/** The draft to be stored with the message that is being sent, in the place of what is stored. */
	protected abstract draftBesideSent(stored: Unsent): Unsent;

	get empty(): boolean {
		return this.text.trim() === '' && this.attachments.length === 0;
	}

	/** All that is to be kept: also what is being sent or run, in front of what was written since. */
	get kept(): Unsent {
		const { command, leaving, text, attachments } = this;
		return [leaving, command, { text, attachments }].reduce(joinUnsent);
	}

	/** Tells whether all that is here was left for the next page. */
	get isLeft(): boolean {
		return false;
	}

	/** Tells whether what is written here was refused where it is kept. */
	get isRefused(): boolean {
		return this.complaint !== undefined && this.unwritten;
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

	/**
	 * Sends what the composer holds, while nothing else is sent from here. It leaves at once; where `send` rejects, it returns in
	 * front of what was written since.
	 */
	async send(send: (outgoing: Outgoing) => Promise<string>): Promise<string> {
		const { text, attachments } = this;
		this.text = '';
		this.attachments = [];
		return this.sendOut({ text, attachments }, send);
	}

	/**
	 * Has a command leave the composer at once, in which `below` stays, and keeps it until `run` has what comes of it, which it tells before anything of that is here. Who calls it puts back
	 * at once what `run` refuses.
	 */
	async runOut(command: string, below: string, run: (taken: () => void) => Promise<boolean>): Promise<boolean> {
		const running = { text: command, attachments: [] };
		this.command = running;
		this.write(below);
		const end = () => {
			if (this.command !== running) return;
			this.command = nothingUnsent;
			this.changed();
		};
		try {
			return await run(end);
		} finally {
			end();
		}
	}

	/** Sends what has left the composer; where `send` rejects, it returns. */
	protected sendOut({ text, attachments }: Unsent, send: (outgoing: Outgoing) => Promise<string>): Promise<string> {
		this.leaving = { text, attachments };
		const unsent = (stored: Unsent) => this.draftBesideSent(stored);
		const sent = { id: newId(), text, attachments };
		return this.sends(
			sent,
			() => send({ ...sent, text: text.trim(), unsent }).finally(() => (this.leaving = nothingUnsent)),
			() => {
				this.text = joinTexts(text, this.text);
				this.attachments = joinFiles(attachments, this.attachments);
			}
		);
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

	/** Sends while nothing else is sent from here; `restore` puts back what was not. */
	protected async sends(sent: Sent, send: () => Promise<string>, restore: () => void): Promise<string> {
		this.sending = true;
		this.sent = sent;
		try {
			return await send();
		} catch (error) {
			restore();
			throw error;
		} finally {
			this.sending = false;
			this.sent = undefined;
			void this.sync();
		}
	}

	/** Keeps what is here after that time, in the place of what was to be kept sooner or later. */
	protected syncIn(milliseconds: number): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => void this.sync(), milliseconds);
	}

	protected withdraw(): void {
		this.complaint?.();
		this.complaint = undefined;
	}
}

/** A new chat as the tab keeps it. */
interface KeptNewChat extends Unsent {
	sent?: Sent[];
}

/** The unsent text of a new chat. It belongs to the tab, since nothing is stored before the first send [A1]. */
export class NewChatText extends ComposerText {
	private overflows = false;
	/** Functions that free the files, by attachment id. */
	private held: Record<string, () => void> = {};
	/** The texts that were given to sessions, each until it is stored there. */
	private given: { session: ComposerText; unsent: Unsent }[] = [];
	/** Messages that a page was sending when it went, until it is known whether they are stored. */
	private doubtful: Sent[] = [];

	/** All that is to be kept, with what was given away, in front, until that is stored. */
	override get kept(): Unsent {
		return [...this.givenUnsent, ...this.doubtful, super.kept].reduce(joinUnsent);
	}

	private get givenUnsent(): Unsent[] {
		return this.given.map(({ unsent }) => unsent);
	}

	/** Tells whether it is too long to be kept in the tab. */
	get unwritten(): boolean {
		return this.overflows;
	}

	changed(): void {
		this.syncIn(pause);
	}

	sync(): Promise<void> {
		clearTimeout(this.timer);
		this.given = this.given.filter(({ session }) => session.unwritten && !session.isLeft);
		this.hold();
		const typed = [...this.givenUnsent, this.command, { text: this.text, attachments: this.attachments }].reduce(joinUnsent);
		const sent = [...this.doubtful, ...(this.sent ? [this.sent] : [])];
		const isEmpty = sent.length === 0 && isSameUnsent(typed, nothingUnsent);
		this.overflows = !keepInTab(newChatName, isEmpty ? undefined : ({ ...typed, sent } satisfies KeptNewChat));
		if (this.overflows) this.complaint ??= notify({ text: 'This text is too long to be kept over a reload.' });
		else this.withdraw();
		return Promise.resolve();
	}

	/** Does nothing: no other tab has this text. */
	follow(): void {}

	/** Gives what was written in this new chat to the session that its first message has made. */
	giveTo(session: ComposerText): void {
		const { text, attachments } = this;
		this.text = '';
		this.attachments = [];
		[session.history, this.history] = [this.history, {}];
		session.text = joinTexts(session.text, text);
		session.attachments = joinFiles(session.attachments, attachments);
		const unsent = { text, attachments };
		if (isSameUnsent(unsent, nothingUnsent)) return;
		this.given.push({ session, unsent });
		void this.settleGiven(session);
	}

	/** Keeps what was given to a session until it is stored there, which another tab may keep from it for long. */
	private async settleGiven(session: ComposerText): Promise<void> {
		await session.sync();
		await this.sync();
		if (this.given.some((one) => one.session === session)) setTimeout(() => void this.settleGiven(session), retryMs);
	}

	/** Shows what this tab has kept of a new chat. */
	restore(): void {
		// What was given is with what the tab has kept, and in its session's composer.
		if (this.given.length > 0) return;
		const { text, attachments, sent = [] }: KeptNewChat = keptInTab(newChatName) ?? nothingUnsent;
		this.text = text;
		this.attachments = attachments;
		this.doubtful = sent.filter(({ id }) => id !== this.sent?.id);
		this.hold();
		if (this.doubtful.length > 0) void this.returnUnsent();
	}

	/** Sends with the choices for the chat, which are kept with the message before they are taken. */
	protected override sends(sent: Sent, send: () => Promise<string>, restore: () => void): Promise<string> {
		const sending = super.sends({ ...sent, begins: source.begun }, send, restore);
		void this.sync();
		return sending;
	}

	/** Puts back what a page was sending when it went, unless it is a message. */
	private async returnUnsent(): Promise<void> {
		const doubtful = this.doubtful;
		const isStill = () => this.doubtful === doubtful;
		const unsent = await import('./not-stored').then(({ notStored }) => notStored(doubtful, isStill)).catch(() => undefined);
		if (!isStill()) return;
		if (!unsent) return void setTimeout(() => void this.returnUnsent(), retryMs);
		this.doubtful = [];
		const left = [...unsent, { text: this.text, attachments: this.attachments }].reduce(joinUnsent);
		this.text = left.text;
		this.attachments = left.attachments;
		await this.sync();
	}

	/** None: what was written since is the new chat's until it is given to the session; the tab keeps it until then. */
	protected draftBesideSent(): Unsent {
		return nothingUnsent;
	}

	/** Keeps the files from being swept: no row uses them yet. */
	private hold(): void {
		const before = this.held;
		this.held = Object.fromEntries(this.kept.attachments.map(({ attachmentId: id }) => [id, before[id] ?? app.holdFile(id)]));
		for (const [id, free] of Object.entries(before)) if (!this.held[id]) free();
	}
}

export const newChat = new NewChatText();
newChat.restore();
// A page that comes back whole has what it held when it was left; the tab may have sent that since.
addEventListener('pageshow', ({ persisted }) => persisted && !newChat.unwritten && newChat.restore());
addEventListener('beforeunload', (event) => newChat.isRefused && event.preventDefault());

writesBeforeLeaving(async () => {
	await newChat.sync();
	return !newChat.unwritten;
});
