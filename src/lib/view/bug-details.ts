import type { AppError } from '../shared/app-error';

/** Puts what a developer needs to know of a bug on the clipboard: the error, its stack, and the browser; nothing of a chat. Returns what to say. */
export async function copyDetails({ cause }: AppError): Promise<string> {
	const error = cause instanceof Error ? `${cause.name}: ${cause.message}\n${cause.stack ?? ''}` : String(cause);
	return navigator.clipboard.writeText(`${error}\n\n${navigator.userAgent}`).then(
		() => 'Copied',
		() => 'The browser did not allow copying'
	);
}
