// Stores a session that the page of a temporary chat has in memory: what stores is replaced in that page, and not here.
import { AppError } from '../shared/app-error';
import { toPlainError, type PlainError } from '../shared/plain-error';
import { Database } from './database';
import { putCopy, type SessionCopy } from './session-copy';
import { toStorageError } from './storage-failure';

/** The worker's only message: what was in the way, or nothing once all is stored. */
export interface KeepReply {
	failed?: PlainError;
}

onmessage = async ({ data }: MessageEvent<SessionCopy>) => {
	const reply = (message: KeepReply) => postMessage(message);
	try {
		await putCopy(new Database(), data);
		reply({});
	} catch (error) {
		const failure = toStorageError(error);
		if (failure instanceof AppError) reply({ failed: toPlainError(failure) });
		else reportError(failure);
	}
};
