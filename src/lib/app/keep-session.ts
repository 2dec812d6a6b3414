import { AppError } from '../shared/app-error';
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
	const failure = await new Promise<KeepReply>((resolve, reject) => {
		worker.onmessage = ({ data }: MessageEvent<KeepReply>) => resolve(data);
		worker.onerror = () => reject(new AppError('not-kept', 'This chat could not be kept. Nothing of it is lost: try again.', { retryable: true }));
		worker.postMessage(copy);
	});
	if (failure?.code === undefined && failure) throw new Error(failure.message);
	if (failure) throw new AppError(failure.code!, failure.message, { retryable: true });
}
