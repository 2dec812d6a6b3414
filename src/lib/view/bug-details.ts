import { version } from '$app/environment';
import type { AppError } from '../shared/app-error';

/** The most that is copied, in UTF-16 units: a message may quote what it is about. */
const maxDetails = 20_000;

/** Puts what a developer needs to know of a bug on the clipboard: the error, its stack, the version, and the browser; nothing of a chat. Returns what to say. */
export async function copyDetails({ cause }: AppError): Promise<string> {
	const text = [cause instanceof Error ? described(cause) : String(cause), `Snug ${version}, ${new Date().toISOString()}`, navigator.userAgent].join('\n\n');
	return navigator.clipboard.writeText(text.slice(0, maxDetails)).then(
		() => 'Copied',
		() => 'The browser did not allow copying'
	);
}

/** Returns an error with its stack, which some browsers begin with the error. */
function described({ name, message, stack = '' }: Error): string {
	const line = `${name}: ${message}`;
	return stack.startsWith(line) ? stack : `${line}\n${stack}`;
}
