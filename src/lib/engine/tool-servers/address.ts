import { AppError } from '../../shared/app-error';
import { normaliseBaseUrl } from '../../shared/server-address';

/**
 * Returns the address of a tool server that a user means, with a scheme as a server's is given one. Its path stays to the letter: some servers
 * answer only with a slash at the end, others only without one. Throws the AppError `server-address` for what is none.
 */
export function toolServerAddress(text: string): string {
	try {
		const { origin } = new URL(normaliseBaseUrl(text));
		const path = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*(.*)$/i.exec(text.trim())![1]!;
		return new URL(origin + path).href;
	} catch (cause) {
		const message = 'This is not the address of a tool server. One looks like https://example.com/mcp, without a user name, password, “?” or “#”. A token has its own field.';
		throw new AppError('server-address', message, { cause });
	}
}
