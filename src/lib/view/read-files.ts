import { attachFile } from '../app/attach-file';
import { filesPerMessage } from '../conversation/attachment-limits';
import type { FilePart } from '../conversation/message';
import { AppError } from '../shared/app-error';
import { failureOf } from './attempt';
import type { ComposerText } from './composer.svelte';

/** Files that are being read for a composer, and what came of it. */
export interface Reading {
	composer: Pick<ComposerText, 'attach' | 'queued'>;
	/** The names of those that wait or are being read. */
	reading: string[];
	/** Reasons why files could not be attached. */
	problems: AppError[];
	/** Files that were read. */
	done: FilePart[];
	/** Leaves out the file that is being read. */
	stop: AbortController | undefined;
}

/** Reads files for a composer, one after the other. Resolves with what became of each; `left` are those that are too many. */
export async function readFiles(attaching: Reading, files: File[], left: File[]): Promise<(FilePart | undefined)[]> {
	if (left.length > 0) attaching.problems = [...attaching.problems, tooMany(left, attaching.composer.queued?.attachments.length)];
	const read: (FilePart | undefined)[] = [];
	for (const file of files) read.push(await readFile(attaching, file));
	return read;
}

async function readFile(attaching: Reading, file: File): Promise<FilePart | undefined> {
	const { signal } = (attaching.stop = new AbortController());
	try {
		const part = await attachFile(file, signal);
		// Which may be another by now.
		attaching.composer.attach([part]);
		attaching.done.push(part);
		return part;
	} catch (error) {
		if (!signal.aborted) attaching.problems = [...attaching.problems, failureOf(error)];
		return undefined;
	} finally {
		attaching.reading = attaching.reading.slice(1);
	}
}

function tooMany([first, ...others]: File[], queued = 0): AppError {
	const named = others.length === 0 ? `“${first!.name}” was` : `“${first!.name}” and ${others.length === 1 ? 'one other' : `${others.length} others`} were`;
	return new AppError('attachments-full', `A message can have ${filesPerMessage} files at most${queued > 0 ? ', with those that are queued' : ''}, so ${named} left out.`);
}
