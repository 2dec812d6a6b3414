/**
 * Yields the lines of a file that is read in chunks, as bytes, each with its line feed; what follows the last line feed comes as it
 * is. `check` is told how long a line has become so far, and which one it is, and throws where that is too much.
 */
export async function* linesOf(
	chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
	check: (length: number, index: number) => void = () => {}
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	let parts: Uint8Array<ArrayBuffer>[] = [];
	let held = 0;
	let index = 0;
	for await (const bytes of chunks) {
		let from = 0;
		for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
			parts.push(bytes.subarray(from, to + 1));
			check(held + to + 1 - from, index++);
			yield joined(parts);
			parts = [];
			held = 0;
			from = to + 1;
		}
		if (from === bytes.length) continue;
		parts.push(bytes.subarray(from));
		held += bytes.length - from;
		check(held, index);
	}
	if (held > 0) yield joined(parts);
}

/** Yields the chunks of a stream; not all browsers can iterate one. Whoever stops early cancels it. */
export async function* chunksOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const reader = stream.getReader();
	try {
		for (;;) {
			const { value, done } = await reader.read();
			if (done) return;
			yield value;
		}
	} finally {
		// Whoever stops reading knows why; the stream has nothing to add.
		void reader.cancel().catch(() => undefined);
	}
}

/** Returns a stream of what a generator yields, as fast as it is read; it fails as the generator does. */
export function streamOf(generator: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
	return new ReadableStream({
		pull: async (controller) => {
			const { value, done } = await generator.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel: async () => void (await generator.return(undefined))
	});
}

/** Bytes that are kept as chunks before they become a part of a Blob, which need not be in memory. */
const blobPart = 8_000_000;

/** Collects a stream. Rejects with the stream's own reason, which `Response.blob` would hide. */
export async function blobOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>, type = ''): Promise<Blob> {
	const parts: Blob[] = [];
	let chunks: Uint8Array<ArrayBuffer>[] = [];
	let held = 0;
	for await (const bytes of chunksOf(stream)) {
		chunks.push(bytes);
		held += bytes.length;
		if (held < blobPart) continue;
		parts.push(new Blob(chunks));
		chunks = [];
		held = 0;
	}
	return new Blob([...parts, ...chunks], { type });
}

/** Returns pieces as one; a single one as it is. */
export function joined(parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
	if (parts.length === 1) return parts[0]!;
	const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}
