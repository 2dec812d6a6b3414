import { AppError } from '../../shared/app-error';
import type { ConnectionFailure } from '../../shared/egress';
import { plainName } from '../../shared/file-name';
import { SecretRedactor } from '../../shared/redact-secret';
import { isLocalNetwork } from '../../shared/server-address';
import { shorten } from '../../shared/shorten';
import type { Reach } from '../providers/server-reach';
import { isCutOff, obstacleTo, offlineError } from '../providers/unreachable';

/** A tool server as a connection needs it. */
export interface ServerAccess {
	url: string;
	token: string | undefined;
	reach: Reach;
}

/** An error of the SDK's, as far as it is looked at: it knows its kind by a code, and of an answer its status. */
interface SdkFailure extends Error {
	code?: unknown;
	status?: unknown;
}

/**
 * Says what a failure means for the user, and for the model that reads it. `connection` is that of the network, where there was one: the SDK does not
 * always pass it on. No message holds the token, and none has a cause but that one: what a server said may have it.
 */
export async function toToolServerError(error: unknown, connection: ConnectionFailure | undefined, { url, token, reach }: ServerAccess): Promise<AppError> {
	if (error instanceof AppError) return error;
	const { host } = new URL(url);
	const failure = (code: string, message: string, retryable = false) => new AppError(code, `The tool server at ${host} ${message}`, { retryable });
	if (connection) {
		if (connection.kind === 'unreachable') return toUnreachable(new URL(url), `the tool server at ${host}`, reach);
		if (connection.kind === 'redirected') return failure('server-redirects', 'redirects to another address. Snug does not follow it; enter that address, with or without a slash at its end.');
		if (connection.kind === 'too-large') return failure('server-too-much', 'sent more than a result can be, so Snug stopped reading.');
		if (connection.kind === 'slow') return failure('server-slow', 'did not answer in time. Try again.', true);
		if (isCutOff(new URL(url), reach)) return offlineError();
		return failure('server-broke-off', 'broke off in the middle of its answer. Try again.', true);
	}
	const { code, status, message } = (error instanceof Error ? error : new Error(String(error))) as SdkFailure;
	if (status === 403) {
		return failure('server-forbidden', `refuses this (403). ${token ? 'The token may not be allowed to do it' : 'It may ask for a token'}, or the server does not allow requests from ${reach.origin}.`);
	}
	if (status === 401) {
		return failure('server-unauthorised', token ? `did not accept the token (${status}). Check it, or make a new one there.` : `asks for a token (${status}). Enter the token.`);
	}
	if (status === 404 || status === 405) return failure('server-not-found', `has nothing at this address (${status}). Check its path: it often ends in /mcp.`);
	if (status === 429) return failure('server-busy', 'is busy. Try again in a moment.', true);
	if (typeof status === 'number' && status >= 500) return failure('server-error', `had an error (${status}). Try again in a moment.`, true);
	if (typeof status === 'number' && status >= 400) return failure('server-refused', `refused the request (${status}). Check the address.`);
	if (code === 'REQUEST_TIMEOUT') return failure('server-slow', 'did not answer in time. Try again.', true);
	// An error that the server itself names, by a number of JSON-RPC's.
	if (typeof code === 'number') return failure('server-said', `says: “${wordsOf(message, token)}”.`);
	return failure('server-nonsense', 'answered in a way that Snug does not understand. Check that the address is that of an MCP server with “streamable HTTP”.');
}

/** Says why a server can't be reached; `who` names it, beginning with an article. */
export async function toUnreachable(url: URL, who: string, reach: Reach): Promise<AppError> {
	const named = who[0]!.toUpperCase() + who.slice(1);
	const obstacle = await obstacleTo(url, reach);
	if (obstacle === 'insecure') {
		return new AppError('server-insecure', `The browser lets a page from https:// reach only encrypted servers, and ${who} is not. Give it an https:// address, or run Snug on this computer.`);
	}
	if (obstacle === 'offline') return offlineError();
	if (obstacle === 'permission') {
		const message = `The browser does not let this page reach ${who}. Allow it to reach your local network in the browser’s settings for this site, then try again.`;
		return new AppError('server-denied', message, { retryable: true });
	}
	if (obstacle === 'blocked') {
		const message = `${named} is running, but does not allow requests from this page. In its CORS settings allow ${reach.origin} and all headers, and expose the header Mcp-Session-Id, then try again.`;
		return new AppError('server-blocked', message, { retryable: true });
	}
	const check = isLocalNetwork(url) ? 'Start it or check the address' : 'Check the address and your connection';
	return new AppError('server-down', `Can’t reach ${who}. ${check}, then try again.`, { retryable: true });
}

/** The words of an error, in a line without the token. */
function wordsOf(message: string, token: string | undefined): string {
	const said = new SecretRedactor(token).redact(message);
	return shorten(plainName(said).replace(/[“”]/g, '"').replace(/\.$/, ''), 300) || '…';
}

/** The characters of a header's value (RFC 9110, field-value). */
export const canBeSent = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Readies the library of the SDK's schemas, before it makes any: it would try out `new Function`, which the page's policy forbids and reports. */
export async function readyZod(): Promise<void> {
	(await import('zod/v4/core')).config({ jitless: true });
}
