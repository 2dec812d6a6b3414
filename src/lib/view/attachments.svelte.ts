import type { FilePart } from '../conversation/message';
import { filesPerMessage } from '../conversation/attachment-limits';
import type { AppError } from '../shared/app-error';
import { failureOf } from './attempt';
import type { ComposerText } from './composer.svelte';
import { withoutLeaving } from './under-way';

const attachings = new WeakMap<ComposerText, Attaching>();

/** Returns the reader of files for a composer: it goes on also when the composer is not on the screen. */
export function attachingFor(composer: ComposerText): Attaching {
	const attaching = attachings.get(composer) ?? new Attaching(composer);
	attachings.set(composer, attaching);
	return attaching;
}

/** Gives what is read for one composer to another: for the session that the first message of a new chat has made. */
export function giveReading(from: ComposerText, to: ComposerText): void {
	const attaching = attachings.get(from);
	if (!attaching) return;
	attaching.composer = to;
	attachings.set(to, attaching);
	attachings.delete(from);
}

/** Reads files for one composer, one after the other, in the order in which they were added. */
export class Attaching {
	/** The names of those that wait or are being read. */
	reading = $state.raw<string[]>([]);
	/** Reasons why files could not be attached, since the last time that something was added. */
	problems = $state.raw<AppError[]>([]);
	/** Number of files that were added ever. */
	added = 0;
	/** Files that were read since none was. */
	done: FilePart[] = [];
	/** Leaves out the file that is being read. */
	stop: AbortController | undefined;
	private work: Promise<unknown> = Promise.resolve();

	constructor(public composer: ComposerText) {}

	/** Attaches as many as a message can have, with those that are queued: these may return to the composer. Resolves with what could be read of them. */
	add(files: Iterable<File>): Promise<(FilePart | undefined)[]> {
		const all = Array.from(files);
		const fitting = all.splice(0, filesPerMessage - this.composer.attachments.length - (this.composer.queued?.attachments.length ?? 0) - this.reading.length);
		this.problems = [];
		this.added += fitting.length;
		if (this.reading.length === 0) this.done = [];
		this.reading = [...this.reading, ...fitting.map(({ name }) => name)];
		const work = this.work.then(() => this.read(fitting, all));
		this.work = withoutLeaving(work);
		return work;
	}

	/** Waits until everything is read. Resolves with what was read meanwhile, or undefined if something turned out that the user should see first. */
	async settled(): Promise<FilePart[] | undefined> {
		const { problems: known, done: { length: before } } = this;
		for (let work; work !== this.work; await work) work = this.work;
		return this.problems !== known && this.problems[0] ? undefined : this.done.slice(before);
	}

	/** Reads files; what does is loaded for the first of them. */
	private async read(files: File[], left: File[]): Promise<(FilePart | undefined)[]> {
		let readFiles;
		try {
			({ readFiles } = await import('./read-files'));
		} catch (error) {
			this.problems = [failureOf(error)];
			this.reading = this.reading.slice(files.length);
			return [];
		}
		return readFiles(this, files, left);
	}
}

/** The files that are pasted. Office programs put a picture beside the text that was copied: then it is text that is meant. */
export function filesIn(pasted: DataTransfer | null): File[] {
	if (!pasted || (pasted.types.includes('text/plain') && pasted.types.includes('text/html'))) return [];
	return Array.from(pasted.files);
}
