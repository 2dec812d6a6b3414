import { version } from '$app/environment';
import type { AppError } from '../shared/app-error';

/** The most of an error that is copied, in UTF-16 units. */
const maxDetails = 20_000;

/** Puts what a developer needs to know of a bug on the clipboard: the error, its stack, the version, and the browser. Returns what to say. */
export async function copyDetails({ cause }: AppError): Promise<string> {
	const error = (cause instanceof Error ? described(cause) : String(cause)).slice(0, maxDetails);
	const text = [error, `Snug ${version}, ${new Date().toISOString()}`, navigator.userAgent].join('\n\n');
	return navigator.clipboard.writeText(text).then(
		() => 'Copied',
		() => 'The browser did not allow copying'
	);
}

/** Returns an error with its stack, which some browsers begin with the error. */
function described({ name, message, stack = '' }: Error): string {
	const line = `${name}: ${message}`;
	return stack.startsWith(line) ? stack : `${line}\n${stack}`;
}
