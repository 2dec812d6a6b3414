import type { AppError } from '../shared/app-error';
import { toAppError } from '../shared/to-app-error';
import { toStorageError } from '../storage/storage-failure';

/** Does what the user asked for. Resolves with why it could not be done, to be shown as it is; undefined where it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<AppError | undefined> {
	try {
		await work();
		return undefined;
	} catch (error) {
		return failureOf(error);
	}
}

/** Returns what is shown of an error, those of the store among them. */
export function failureOf(error: unknown): AppError {
	return toAppError(toStorageError(error));
}
