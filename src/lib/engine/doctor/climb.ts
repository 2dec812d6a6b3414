import { ConnectionFailure, send, type Egress } from '../../shared/egress';
import type { Outcome, Rung } from './facts';

/** A request without words, with all headers that one with words has. */
interface Request {
	url: string;
	/** Headers, in the order in which they are tried. */
	headers: Readonly<Record<string, string>>;
	/** Headers that need nobody’s leave, and a body; a request without is a GET. */
	base?: RequestInit;
}

/**
 * Finds the header with which a browser does not let a request through: it sends one without any, and then others with one more each. Where the
 * one with all of them is answered, no other is sent.
 */
export async function climb({ url, headers, base = {} }: Request, egress: Egress = {}): Promise<Rung[]> {
	const names = Object.keys(headers);
	const ask = async (count: number): Promise<Rung> => {
		const added = Object.fromEntries(Object.entries(headers).slice(0, count));
		const outcome = await outcomeOf(url, { ...base, headers: { ...(base.headers as Record<string, string>), ...added } }, egress);
		return { ...(count > 0 && { header: names[count - 1]! }), outcome };
	};
	const { outcome: last } = await ask(names.length);
	if (last !== 'unreachable') return [undefined, ...names].map((header) => ({ ...(header !== undefined && { header }), outcome: last }));
	const rungs: Rung[] = [];
	for (let count = 0; count < names.length; count++) {
		const rung = await ask(count);
		rungs.push(rung);
		if (rung.outcome === 'unreachable') return rungs;
	}
	return [...rungs, { ...(names.length > 0 && { header: names.at(-1)! }), outcome: last }];
}

/** Sends a request and returns how it ended. Nothing of its answer is read. */
async function outcomeOf(url: string, init: RequestInit, egress: Egress): Promise<Outcome> {
	try {
		const response = await send('server-check', url, init, egress);
		await response.body?.cancel();
		return response.status;
	} catch (error) {
		if (error instanceof ConnectionFailure) return error.kind;
		throw error;
	}
}
