import { ConnectionFailure, send, type Egress } from '../../shared/egress';

/** Headers of requests to tool servers, beside a token's. */
export const toolHeaders = ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name', 'last-event-id'];

const version = '2025-06-18';
const base = { method: 'POST', headers: { accept: 'application/json, text/event-stream' } };
const message = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) });

/** Returns a request that does nothing but be answered. `isLater`: with the headers of one that comes later in a session. */
export function toolRequest(url: string, token: string | undefined, isLater: boolean) {
	return {
		url,
		headers: {
			'content-type': 'application/json',
			...(token !== undefined && { authorization: `Bearer ${token}` }),
			...(isLater && { 'mcp-protocol-version': version, 'mcp-session-id': 'none' })
		},
		base: { ...base, body: message('ping') }
	};
}

/** Tells whether a server begins a session, and then refuses what comes without its id, which it does not let the page read. */
export async function hidesItsSession(url: string, token: string | undefined, egress: Egress = {}): Promise<boolean> {
	const headers = { ...base.headers, ...toolRequest(url, token, false).headers };
	const ask = async (body: string, more = {}) => {
		const response = await send('server-check', url, { ...base, headers: { ...headers, ...more }, body }, egress);
		await response.body?.cancel();
		return response;
	};
	try {
		const begun = await ask(message('initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'Snug', version: '1' } }));
		if (!begun.ok || begun.headers.has('mcp-session-id')) return false;
		const { status } = await ask(message('ping'), { 'mcp-protocol-version': version });
		return status === 400 || status === 404;
	} catch (error) {
		if (error instanceof ConnectionFailure) return false;
		throw error;
	}
}
