import { AppError } from '../shared/app-error';
import { fromPlainError } from '../shared/plain-error';
import { unlessAborted } from '../shared/unless-aborted';
import type { KeepReply } from '../storage/keep-worker';
import { copyOfSession } from '../storage/session-copy';
import { db } from './environment';

/** The worker that stores, begun before it is needed: a later version of Snug may have taken its file away by then. */
let ready: Worker | undefined;

export function prepareToKeep(): void {
	ready ??= begin();
}

function begin(): Worker {
	const worker = new Worker(new URL('../storage/keep-worker.ts', import.meta.url), { type: 'module', name: 'keep' });
	worker.onerror = () => (ready = undefined);
	return worker;
}

/**
 * Stores a session of a temporary chat's page in this browser, with everything that belongs to it. A worker does: what stores is replaced by
 * memory in the page alone. Resolves once all of it is stored; where it throws, also since `signal` ends it, nothing is, but for a cancellation
 * in the moment in which it is done.
 */
export async function keepSession(id: string, signal: AbortSignal): Promise<void> {
	const copy = await unlessAborted(copyOfSession(db, id), signal);
	const worker = ready ?? begin();
	ready = undefined;
	try {
		const reply = new Promise<KeepReply>((resolve, reject) => {
			const lost = () => reject(new AppError('not-kept', 'This chat could not be kept: a part of Snug did not load. Nothing of it is lost: try again.', { retryable: true }));
			worker.onmessage = ({ data }: MessageEvent<KeepReply>) => resolve(data);
			worker.onmessageerror = lost;
			// It has a message of what it met; none where its file does not arrive.
			worker.onerror = ({ message }) => (message ? reject(new Error(message)) : lost());
			worker.postMessage(copy);
		});
		const { failed } = await unlessAborted(reply, signal);
		if (failed) throw fromPlainError(failed);
	} finally {
		worker.terminate();
	}
}
