import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../shared/app-error';

/** The file that a model is written to: the part of `FileSystemSyncAccessHandle` that is used. Positions are in bytes. */
export interface Sink {
	getSize(): number;
	/** Both return how many bytes were read or written. */
	read(into: Uint8Array<ArrayBuffer>, options: { at: number }): number;
	write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
	truncate(size: number): void;
	flush(): void;
}

/** Progress of a copy or a download, in bytes; the total of a download may be unknown. */
export interface Progress {
	received: number;
	total?: number;
}

const reportEvery = 100;
const flushEvery = 8 * 2 ** 20;
const rereadStep = 8 * 2 ** 20;

/**
 * Appends to a sink and hashes what is in it, from its first byte. Flushes every few megabytes, so that a crash costs no
 * more than those. Throws AppError `disk-full`.
 */
export class ModelWriter {
	#hash = sha256.create();
	#received = 0;
	#flushed = 0;
	#reported = -Infinity;

	constructor(
		private readonly sink: Sink,
		private readonly name: string,
		private readonly onProgress: (progress: Progress) => void = () => {}
	) {}

	get received(): number {
		return this.#received;
	}

	/** Takes up what an earlier writer left in the sink, by hashing it again: what counts is what is on the disk. */
	async resume(signal?: AbortSignal): Promise<void> {
		const buffer = new Uint8Array(rereadStep);
		const size = this.sink.getSize();
		while (this.#received < size) {
			signal?.throwIfAborted();
			const read = this.sink.read(buffer, { at: this.#received });
			if (read === 0) break;
			this.#hash.update(buffer.subarray(0, read));
			this.#received += read;
			// Lets an abort message in.
			await new Promise((resolve) => setTimeout(resolve));
		}
		this.#flushed = this.#received;
	}

	write(bytes: Uint8Array<ArrayBuffer>, total?: number): void {
		writeAll(this.sink, bytes, this.#received, this.name);
		this.#hash.update(bytes);
		this.#received += bytes.length;
		if (this.#received - this.#flushed >= flushEvery) this.flush();
		this.#report(total);
	}

	/** The first `length` bytes, or as many as there are. */
	head(length: number): Uint8Array {
		const head = new Uint8Array(Math.min(length, this.#received));
		return head.subarray(0, this.sink.read(head, { at: 0 }));
	}

	flush(): void {
		this.sink.flush();
		this.#flushed = this.#received;
	}

	startOver(): void {
		this.sink.truncate(0);
		this.#hash = sha256.create();
		this.#received = 0;
		this.#flushed = 0;
	}

	/** Makes everything durable. Returns the hash in lower-case hex. */
	finish(): string {
		this.flush();
		this.onProgress({ received: this.#received, total: this.#received });
		return bytesToHex(this.#hash.digest());
	}

	#report(total: number | undefined): void {
		const now = performance.now();
		if (now - this.#reported < reportEvery) return;
		this.#reported = now;
		this.onProgress({ received: this.#received, ...(total === undefined ? {} : { total }) });
	}
}

/** Writes at a position, all of it. Throws AppError `disk-full`; `name` is the model's. */
export function writeAll(sink: Pick<Sink, 'write'>, bytes: Uint8Array<ArrayBuffer>, at: number, name: string): void {
	let written: number;
	try {
		written = sink.write(bytes, { at });
	} catch (cause) {
		if (cause instanceof DOMException && cause.name === 'QuotaExceededError') throw diskFull(name, cause);
		throw cause;
	}
	// A full disk may also show as a write that is cut short, or, in Chromium, as a number beyond what was asked for: an error's, without its sign.
	if (written !== bytes.length) throw diskFull(name);
}

function diskFull(name: string, cause?: unknown): AppError {
	const message = `The disk is full: ${name} did not fit. Free some space or remove another model, then try again.`;
	return new AppError('disk-full', message, cause === undefined ? {} : { cause });
}
