import { app } from '../app';
import type { FilePart } from '../conversation/message';
import { AppError } from '../shared/app-error';
import type { Unsent } from '../storage/drafts';
import { explainStorageFailure } from '../storage/storage-failure';
import { notify } from './notices.svelte';

/**
 * What one composer holds and is not sent. A session's is kept in its draft row, as fast as it is typed, by the tab that
 * may write it. A new chat's is not, since nothing is written before the first send [A1]: it belongs to the tab, and its
 * page keeps it over a reload.
 */
export class ComposerText {
	text = $state('');
	attachments = $state.raw<FilePart[]>([]);
	private touched = false;
	private complained = false;
	private saving: Promise<void> | undefined;

	constructor(private readonly sessionId: string | undefined) {
		void this.load();
	}

	get empty(): boolean {
		return this.text.trim() === '' && this.attachments.length === 0;
	}

	/** What it holds, to be sent or to be kept. */
	get unsent(): Unsent {
		return { text: this.text, attachments: this.attachments };
	}

	/** Tells that the person has typed. */
	changed(): void {
		this.touched = true;
		void this.save();
	}

	/** Puts back what a page kept over a reload. */
	restore({ text, attachments }: Unsent): void {
		this.text = text;
		this.attachments = attachments;
	}

	attach(files: FilePart[]): void {
		const added = files.filter(({ attachmentId }) => !this.attachments.some((file) => file.attachmentId === attachmentId));
		this.attachments = [...this.attachments, ...added];
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

	clear(): void {
		this.attachments = [];
		this.write('');
	}

	/** Fills it with what was kept, as long as nothing was typed here. */
	async load(): Promise<void> {
		if (this.sessionId === undefined) return;
		const draft = await app.drafts.get(this.sessionId).catch(absentIfRefused);
		if (this.touched || !draft) return;
		this.text = draft.composer;
		this.attachments = draft.attachments ?? [];
	}

	/** Resolves when it is written. One write at a time: what is typed meanwhile is written next, as a whole. */
	save(): Promise<void> {
		const { sessionId } = this;
		if (sessionId === undefined || !this.touched) return Promise.resolve();
		return (this.saving ??= this.store(sessionId).finally(() => (this.saving = undefined)));
	}

	private async store(sessionId: string): Promise<void> {
		try {
			for (let written: Unsent | undefined; written?.text !== this.text || written.attachments !== this.attachments; ) {
				const writer = app.writers.of(sessionId);
				if (!writer) return;
				written = this.unsent;
				await app.drafts.setComposer(sessionId, written, writer.fence);
			}
		} catch (error) {
			this.complain(explainStorageFailure(error));
		}
	}

	/** What was typed stays in the composer; that it is not kept beyond the page is said once. */
	private complain(failure: unknown): void {
		if (!(failure instanceof AppError)) throw failure;
		if (!this.complained && failure.code !== 'taken-over') notify({ text: failure.message });
		this.complained = true;
	}
}

/** Where nothing can be read there is nothing to load; the page says why. */
function absentIfRefused(error: unknown): undefined {
	const failure = explainStorageFailure(error);
	if (!(failure instanceof AppError)) throw failure;
}

export const newChat = new ComposerText(undefined);

let open = newChat;

/** The composer of the session that is opened. */
export function composerFor(sessionId: string | undefined): ComposerText {
	return (open = sessionId === undefined ? newChat : new ComposerText(sessionId));
}

/** Resolves when the open composer's text is written: the page is about to be left. */
export function saveComposer(): Promise<void> {
	return open.save();
}
