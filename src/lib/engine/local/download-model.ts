import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import { send, type Egress } from '../../shared/egress';
import { waitFor } from '../../shared/wait-for';
import { parseGguf } from './gguf';
import type { ModelWriter } from './model-writer';

/**
 * Description of a download, and, after a first part, what is known of it; kept beside that part. `bytes` and `sha256` are
 * what the user was promised; `total` is the size as the server says, and `version` the server's mark for this version
 * of the file (ETag, or when it was last changed); `found` is the hash of the file, once it is whole and checked.
 */
export interface DownloadNote {
	name: string;
	url: string;
	bytes?: number;
	sha256?: string;
	total?: number;
	version?: string;
	found?: string;
}

export interface DownloadPorts extends Egress {
	/** Keeps the note, so that a later download can go on from here. */
	saveNote: (note: DownloadNote) => void;
	/** Throws where `bytes` more do not fit. */
	requireSpace: (bytes: number, name: string) => Promise<void>;
	/** Milliseconds before each try after one that brought nothing. */
	waits?: readonly number[];
}

const firstCheck = 64 * 1024;
const maxHeadSize = 64 * 2 ** 20;

/**
 * Downloads into `writer`, going on from what it holds. A broken connection is taken up again a few times by itself. The
 * GGUF header is checked as soon as it is there, size and hash at the end. Resolves with the hash in lower-case hex.
 * Rejects with the signal's reason when aborted, and with AppErrors: retryable ones (`download-broken`,
 * `download-server`, `disk-full` where something is here) mean that the part is good for another try; others (`download-refused`, `download-missing`,
 * `download-mismatch`, `disk-full`, those of `readGguf`) that it is not.
 */
export async function downloadModel(
	note: DownloadNote,
	writer: ModelWriter,
	ports: DownloadPorts,
	signal: AbortSignal
): Promise<string> {
	return new Download(note, writer, ports, signal).run();
}

class Download {
	#nextCheck = firstCheck;
	#checked = false;

	constructor(
		private note: DownloadNote,
		private readonly writer: ModelWriter,
		private readonly ports: DownloadPorts,
		private readonly signal: AbortSignal
	) {}

	async run(): Promise<string> {
		const waits = this.ports.waits ?? [1000, 2000, 4000, 8000];
		this.ports.saveNote(this.note);
		let fruitless = 0;
		for (;;) {
			const before = this.writer.received;
			try {
				await this.#attempt();
				return this.#finish();
			} catch (error) {
				this.signal.throwIfAborted();
				// What is here of it stays: whoever has made room goes on from there.
				if (error instanceof AppError && error.code === 'disk-full' && this.writer.received > 0) throw new AppError('disk-full', error.message, { retryable: true, cause: error });
				if (error instanceof AppError && !error.retryable) throw error;
				fruitless = this.writer.received > before ? 0 : fruitless + 1;
				const wait = waits[fruitless];
				if (wait === undefined)
					throw error instanceof AppError ? error : broken(this.note, this.writer.received, error);
				await waitFor(wait, this.signal);
			} finally {
				this.writer.flush();
			}
		}
	}

	/** One connection. Returns when the file is all here. */
	async #attempt(): Promise<void> {
		const connection = new AbortController();
		try {
			const response = await this.#request(AbortSignal.any([this.signal, connection.signal]));
			if (response) await this.#receive(response);
		} finally {
			// Ends a response that was not read to its end.
			connection.abort();
		}
	}

	/** Undefined where nothing is missing any more. */
	async #request(signal: AbortSignal): Promise<Response | undefined> {
		const from = this.writer.received;
		if (from > 0 && from === this.note.total) return undefined;
		const init: RequestInit = {
			signal,
			// The part is kept by us; a copy in the HTTP cache would take the space twice.
			cache: 'no-store',
			...(from > 0 ? { headers: { Range: `bytes=${from}-` } } : {})
		};
		const response = await send('model-file', this.note.url, init, this.ports);
		if (response.status === 206 && (await this.#continues(response, from))) return response;
		if (response.status === 200) return this.#begin(response);
		if (from > 0 && (response.status === 206 || response.status === 416)) {
			// The server has another version of the file by now, or a shorter one.
			await response.body?.cancel();
			this.#startOver();
			return this.#request(signal);
		}
		throw refused(this.note, response.status);
	}

	/** Tells whether a partial response goes on where the part ends, in the same version of the file. */
	async #continues(response: Response, from: number): Promise<boolean> {
		const { total: before, version: versionBefore } = this.note;
		const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
		const total = range ? Number(range[2]) : sum(from, lengthOf(response));
		const version = versionOf(response);
		if (range && Number(range[1]) !== from) return false;
		if (before !== undefined && total !== undefined && before !== total) return false;
		if (versionBefore !== undefined && version !== undefined && versionBefore !== version) return false;
		await this.#learn(total, version);
		return true;
	}

	async #begin(response: Response): Promise<Response> {
		if (this.writer.received > 0) this.#startOver();
		await this.#learn(lengthOf(response), versionOf(response));
		return response;
	}

	#startOver(): void {
		this.writer.startOver();
		this.#nextCheck = firstCheck;
		this.#checked = false;
		const { name, url, bytes, sha256 } = this.note;
		this.note = {
			name,
			url,
			...(bytes === undefined ? {} : { bytes }),
			...(sha256 === undefined ? {} : { sha256 })
		};
	}

	async #learn(total: number | undefined, version: string | undefined): Promise<void> {
		this.note = {
			...this.note,
			...(total === undefined ? {} : { total }),
			...(version === undefined ? {} : { version })
		};
		this.ports.saveNote(this.note);
		if (total !== undefined) await this.ports.requireSpace(total - this.writer.received, this.note.name);
	}

	async #receive(response: Response): Promise<void> {
		const reader = response.body?.getReader();
		if (!reader) return;
		for (let read = await reader.read(); !read.done; read = await reader.read()) {
			this.signal.throwIfAborted();
			this.writer.write(read.value, this.note.total);
			if (!this.#checked && this.writer.received >= this.#nextCheck)
				this.#check(this.note.total ?? Number.MAX_SAFE_INTEGER);
		}
		const { total } = this.note;
		if (total !== undefined && this.writer.received < total) throw new Error('The connection ended early.');
	}

	#check(size: number): void {
		this.#checked = parseGguf(this.writer.head(maxHeadSize), size) !== undefined;
		this.#nextCheck *= 2;
	}

	#finish(): string {
		const { received } = this.writer;
		this.#check(received);
		const { name, bytes, sha256 } = this.note;
		if (bytes !== undefined && bytes !== received) {
			throw mismatch(`${name} came with ${formatBytes(received)}, but ${formatBytes(bytes)} were announced`);
		}
		const found = this.writer.finish();
		if (sha256 !== undefined && sha256.toLowerCase() !== found)
			throw mismatch(`${name} is not the file that was announced: its checksum differs`);
		this.ports.saveNote({ ...this.note, found });
		return found;
	}
}

function lengthOf(response: Response): number | undefined {
	const length = response.headers.get('content-length');
	// Of a compressed response it is not the file's length.
	return length !== null && !response.headers.has('content-encoding') ? Number(length) : undefined;
}

function versionOf(response: Response): string | undefined {
	return response.headers.get('etag') ?? response.headers.get('last-modified') ?? undefined;
}

function sum(a: number, b: number | undefined): number | undefined {
	return b === undefined ? undefined : a + b;
}

function refused(note: DownloadNote, status: number): AppError {
	if (status === 404 || status === 410) {
		return new AppError(
			'download-missing',
			`There is no file at the address of ${note.name} (status ${status}). Check the address.`
		);
	}
	if (status === 429 || status >= 500) {
		const message =
			`The server cannot send ${note.name} at the moment (status ${status}). Try again later: it goes on from where ` +
			'it stopped.';
		return new AppError('download-server', message, { retryable: true });
	}
	const message =
		`The server refuses to send ${note.name} (status ${status}). It may want an account; download the file there ` +
		'and import it.';
	return new AppError('download-refused', message);
}

function broken(note: DownloadNote, received: number, cause: unknown): AppError {
	const sofar =
		note.total === undefined ? formatBytes(received) : `${formatBytes(received)} of ${formatBytes(note.total)}`;
	const message =
		received > 0
			? `The connection broke after ${sofar} of ${note.name}. Try again: it goes on from there.`
			: `${note.name} could not be fetched: the server cannot be reached, or does not allow this site to read it. ` +
				'Check the connection and try again, or download the file and import it.';
	return new AppError('download-broken', message, { retryable: true, cause });
}

function mismatch(what: string): AppError {
	return new AppError('download-mismatch', `${what}. It was deleted; download it again, or from somewhere else.`);
}
