import { expect, it } from 'vitest';
import { climb } from './climb';

/** A network where a browser lets no request through that has one of these headers. */
function without(...refused: string[]) {
	const sent: string[][] = [];
	const fetch = ((_: unknown, init: RequestInit) => {
		const names = [...new Headers(init.headers).keys()];
		sent.push(names);
		return names.some((name) => refused.includes(name)) ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response('', { status: 401 }));
	}) as typeof globalThis.fetch;
	return { sent, egress: { fetch } };
}

const request = { url: 'http://localhost:9/v1/models', headers: { 'content-type': 'application/json', authorization: 'Bearer key' } };

it('[P11] sends one request where it is answered with all headers', async () => {
	const { sent, egress } = without();
	expect(await climb(request, egress)).toEqual([{ outcome: 401 }, { header: 'content-type', outcome: 401 }, { header: 'authorization', outcome: 401 }]);
	expect(sent).toHaveLength(1);
});

it('[P11] finds the header with which a request is not let through, and sends the key no sooner than that', async () => {
	const { sent, egress } = without('authorization');
	expect(await climb(request, egress)).toEqual([{ outcome: 401 }, { header: 'content-type', outcome: 401 }, { header: 'authorization', outcome: 'unreachable' }]);
	expect(sent.filter((names) => names.includes('authorization'))).toHaveLength(1);
	expect(await climb(request, without('content-type').egress)).toEqual([{ outcome: 401 }, { header: 'content-type', outcome: 'unreachable' }]);
});

it('[P11] a network that lets nothing through ends it at the first', async () => {
	const egress = { fetch: () => Promise.reject(new TypeError('Failed to fetch')) };
	expect(await climb(request, egress)).toEqual([{ outcome: 'unreachable' }]);
	expect(await climb({ url: request.url, headers: {} }, egress)).toEqual([{ outcome: 'unreachable' }]);
});
