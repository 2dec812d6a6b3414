import { AppError } from '../../shared/app-error';
import { copyModel } from './copy-model';
import { downloadModel, type DownloadNote } from './download-model';
import { requireModelSpace } from './model-space';
import { ModelWriter, writeAll, type Progress, type Sink } from './model-writer';

/** The worker's job, to write into `<id>.part`, given once in its life. The message `abort` ends it. */
export type ModelJob = { id: string; name: string } & (
	{ type: 'copy'; file: File } | { type: 'download'; note: DownloadNote }
);

/** An answer of the worker: progress, at last the hash, or why there is none. */
export type ModelJobEvent =
	| { type: 'progress'; progress: Progress }
	| { type: 'done'; bytes: number; sha256: string }
	| { type: 'failed'; code: string; message: string; retryable: boolean };

/** Description of a model's file, kept beside it until its row is written; one that was copied has no address. */
export type ModelNote = Omit<DownloadNote, 'url'> & { url?: string };

/** The two files of a job: the part itself, and the note beside it. */
export interface JobSinks {
	part: Sink;
	note: Sink;
}

/** Does a job, reporting its progress. Returns its last event and never rejects; an abort is a failure with the code `aborted`. */
export async function runModelJob(
	job: ModelJob,
	sinks: JobSinks,
	signal: AbortSignal,
	onProgress: (event: ModelJobEvent) => void
): Promise<ModelJobEvent> {
	const writer = new ModelWriter(sinks.part, job.name, (progress) => onProgress({ type: 'progress', progress }));
	try {
		const sha256 =
			job.type === 'copy'
				? await copyAndNote(job, writer, sinks.note, signal)
				: await resumeDownload(job.note, writer, sinks.note, signal);
		return { type: 'done', bytes: writer.received, sha256 };
	} catch (error) {
		const code = error instanceof AppError ? error.code : signal.aborted ? 'aborted' : 'bug';
		const message = error instanceof Error ? error.message : String(error);
		return { type: 'failed', code, message, retryable: error instanceof AppError && error.retryable };
	}
}

async function copyAndNote(
	{ name, file }: { name: string; file: File },
	writer: ModelWriter,
	noteSink: Sink,
	signal: AbortSignal
): Promise<string> {
	const found = await copyModel(file, writer, signal);
	saveNote(noteSink, { name, found });
	return found;
}

async function resumeDownload(
	note: DownloadNote,
	writer: ModelWriter,
	noteSink: Sink,
	signal: AbortSignal
): Promise<string> {
	await writer.resume(signal);
	const ports = {
		saveNote: (note: DownloadNote) => saveNote(noteSink, note),
		requireSpace: (bytes: number, name: string) => requireModelSpace(navigator.storage, bytes, name)
	};
	return downloadModel(note, writer, ports, signal);
}

function saveNote(sink: Sink, note: ModelNote): void {
	const bytes = new TextEncoder().encode(JSON.stringify(note));
	// Over what is there: without a note nobody finds the part.
	writeAll(sink, bytes, 0, note.name);
	sink.truncate(bytes.length);
	sink.flush();
}
