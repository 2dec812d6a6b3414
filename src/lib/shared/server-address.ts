import { AppError } from './app-error';

/** The longest address, in characters. */
const longest = 2000;

/**
 * The base URL that a user means. Without a scheme it gets `http://` on this machine or in the local network, and
 * `https://` elsewhere; a pasted `/models` or `/chat/completions` and slashes at the end go. Nothing else is added or
 * dropped. Throws the AppError `server-address` for what is no address.
 */
export function normaliseBaseUrl(text: string): string {
	const trimmed = text.trim();
	const url = trimmed.length > longest ? undefined : parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : withScheme(trimmed));
	if (!url || !/^https?:$/.test(url.protocol) || /\s/.test(trimmed) || !isHostName(url.hostname)) {
		throw new AppError('server-address', 'This is not a server address. One looks like http://localhost:11434/v1.');
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new AppError(
			'server-address',
			'Enter only the server’s address and path, without a user name, password, “?” or “#”. The API key has its own field.'
		);
	}
	return url.origin + url.pathname.replace(/(\/+(models|chat\/+completions))*\/*$/, '');
}

/** Says whether this could be the name of a host: the parser of addresses also takes names such as `ht!tp`. */
function isHostName(name: string): boolean {
	return /^(\[[\da-f:.]+\]|[a-z\d_-]+(\.[a-z\d_-]+)*\.?)$/.test(name);
}

/** The address without a name, a password and what follows a ? or #, where a key may stand; '' for what is no http(s) address. */
export function addressOf(text: string): string {
	const url = parse(text);
	const path = url?.pathname.slice(0, longest).replace(/\/+$/, '');
	return url && /^https?:$/.test(url.protocol) ? url.origin + path : '';
}

/** Tells whether this URL's host is the machine itself, which browsers trust without encryption. */
export function isLoopback({ hostname }: URL): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Tells whether this URL's host is this machine or looks like one in the local network, where certificates are rare. */
export function isLocalNetwork(url: URL): boolean {
	const { hostname } = url;
	return (
		isLoopback(url) ||
		/^(0\.0\.0\.0|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2})$/.test(hostname) ||
		// RFC 6598, which private overlay networks hand out.
		/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}$/.test(hostname) ||
		/^\[(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/.test(hostname) ||
		/\.(local|lan|internal|home\.arpa)$/.test(hostname) ||
		/^[^.[\]]+$/.test(hostname)
	);
}

function withScheme(text: string): string {
	const url = parse(`http://${text}`);
	return url && isLocalNetwork(url) ? url.href : `https://${text}`;
}

function parse(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
