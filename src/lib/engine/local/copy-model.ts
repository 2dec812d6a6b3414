import type { ModelWriter } from './model-writer';

const pauseEvery = 50;

/** Copies a file that has been checked before. Resolves with its hash in lower-case hex; rejects when aborted. */
export async function copyModel(file: Blob, writer: ModelWriter, signal: AbortSignal): Promise<string> {
	const reader = file.stream().getReader();
	let paused = performance.now();
	try {
		for (let read = await reader.read(); !read.done; read = await reader.read()) {
			writer.write(read.value, file.size);
			if (performance.now() - paused > pauseEvery) {
				// Reading a local file leaves a worker no time for messages, such as the one that aborts this.
				await new Promise((resolve) => setTimeout(resolve));
				paused = performance.now();
			}
			signal.throwIfAborted();
		}
	} finally {
		await reader.cancel();
	}
	return writer.finish();
}
