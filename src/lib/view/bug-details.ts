import type { AppError } from '../shared/app-error';
import { copy } from './export';

/** Puts what a developer needs to know of a bug on the clipboard: the error, where it came from, and the browser. Nothing of a chat. */
export async function copyDetails({ cause }: AppError): Promise<void> {
	const error = cause instanceof Error ? `${cause.name}: ${cause.message}\n${cause.stack ?? ''}` : String(cause);
	await copy(`${error}\n\n${navigator.userAgent}`, 'Details copied.');
}
