import { AppError } from './app-error';

const reported = new WeakSet<object>();

/**
 * Returns what is shown of an error. An AppError has its own sentence; a part of the app that could not be loaded is a matter of the
 * connection; anything else is a bug, which is reported and not shown raw.
 */
export function sentenceOf(error: unknown): string {
	if (error instanceof AppError) return error.message;
	if (isLoadFailure(error)) return 'A part of Snug could not be loaded. Check the connection, then reload the page.';
	const isObject = typeof error === 'object' && error !== null;
	if (!isObject || !reported.has(error)) reportError(error);
	if (isObject) reported.add(error);
	return 'Something in Snug went wrong. Try again, or reload the page.';
}

/** Says whether a module or its styles did not arrive, which each browser says in words of its own. */
function isLoadFailure(error: unknown): boolean {
	return error instanceof Error && /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);
}
