import type { AppError } from '../shared/app-error';

/** Returns what a developer needs to know of a bug: the error, its stack, and the browser. Nothing of a chat. */
export function bugDetails({ cause }: AppError): string {
	const error = cause instanceof Error ? `${cause.name}: ${cause.message}\n${cause.stack ?? ''}` : String(cause);
	return `${error}\n\n${navigator.userAgent}`;
}
