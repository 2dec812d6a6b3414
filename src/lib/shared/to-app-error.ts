import { AppError } from './app-error';

const reported = new WeakSet<object>();

/**
 * Returns what is shown of an error. An AppError is its own; a part of the app that could not be loaded is a matter of the
 * connection (`part-not-loaded`); anything else is a bug, which is reported once and not shown raw (`bug`; the error is its cause).
 */
export function toAppError(error: unknown): AppError {
	if (error instanceof AppError) return error;
	if (isLoadFailure(error)) {
		const sentence = 'A part of Snug could not be loaded. Check the connection and reload.';
		return new AppError('part-not-loaded', sentence, { retryable: true, cause: error });
	}
	const isObject = typeof error === 'object' && error !== null;
	const isNew = !isObject || !reported.has(error);
	if (isObject) reported.add(error);
	if (isNew) reportError(error);
	return new AppError('bug', 'Something in Snug went wrong. Try again, or reload the page.', { cause: error });
}

/** Says whether a module or its styles did not arrive, which each browser says in words of its own. */
export function isLoadFailure(error: unknown): boolean {
	return error instanceof Error && /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);
}
