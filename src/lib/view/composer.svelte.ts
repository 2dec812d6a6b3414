import { app } from '../app';
import { AppError } from '../shared/app-error';
import { explainStorageFailure } from '../storage/storage-failure';
import { notify } from './notices.svelte';

/**
 * The unsent text of one composer. A session's is kept in its draft row, as fast as it is typed. A new chat's is not,
 * since nothing is written before the first send [A1]: it belongs to the tab, and its page keeps it over a reload.
 */
export class ComposerText {
	text = $state('');
	private touched = false;
	private complained = false;
	private saving: Promise<void> | undefined;

	constructor(private readonly sessionId: string | undefined) {
		if (sessionId !== undefined) void this.load(sessionId);
	}

	/** Tells that the person has typed. */
	changed(): void {
		this.touched = true;
		void this.save();
	}

	clear(): void {
		this.text = '';
		this.changed();
	}

	/** Resolves when the text is written. One write at a time: what is typed meanwhile is written next, as a whole. */
	save(): Promise<void> {
		const { sessionId } = this;
		if (sessionId === undefined || !this.touched) return Promise.resolve();
		return (this.saving ??= this.write(sessionId).finally(() => (this.saving = undefined)));
	}

	private async write(sessionId: string): Promise<void> {
		try {
			for (let written: string | undefined; written !== this.text; ) {
				written = this.text;
				await app.drafts.setComposer(sessionId, written);
			}
		} catch (error) {
			this.complain(explainStorageFailure(error));
		}
	}

	/** The text stays in the composer; that it is not kept beyond the page is said once. */
	private complain(failure: unknown): void {
		if (!(failure instanceof AppError)) throw failure;
		if (!this.complained) notify({ text: failure.message });
		this.complained = true;
	}

	private async load(sessionId: string): Promise<void> {
		const draft = await app.drafts.get(sessionId);
		if (!this.touched && draft) this.text = draft.composer;
	}
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
