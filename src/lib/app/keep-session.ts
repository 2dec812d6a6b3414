import { AppError } from '../shared/app-error';
import { fromPlainError } from '../shared/plain-error';
import type { KeepReply } from '../storage/keep-worker';
import { copyOfSession } from '../storage/session-copy';
import { db } from './environment';

/**
 * Stores a session of a temporary chat's page in this browser, with everything that belongs to it. A worker does: what stores is replaced by
 * memory in the page alone. Resolves once all of it is stored; where it throws, nothing is.
 */
export async function keepSession(id: string): Promise<void> {
	const copy = await copyOfSession(db, id);
	const worker = new Worker(new URL('../storage/keep-worker.ts', import.meta.url), { type: 'module', name: 'keep' });
	try {
		const { failed } = await new Promise<KeepReply>((resolve, reject) => {
			worker.onmessage = ({ data }: MessageEvent<KeepReply>) => resolve(data);
			// It has a message of what it met; none where its file does not arrive.
			worker.onerror = ({ message }) =>
				reject(message ? new Error(message) : new AppError('not-kept', 'This chat could not be kept: a part of Snug did not load. Nothing of it is lost: try again.', { retryable: true }));
			worker.postMessage(copy);
		});
		if (failed) throw fromPlainError(failed);
	} finally {
		worker.terminate();
	}
}
