import { expect, test } from 'vitest';
import { findDefaultWeights } from '../local/default-weights';
import type { Reach } from './server-reach';
import { openAiLike as protocol } from './server-protocol';
import { listModels } from './servers';

const reach: Reach = { origin: 'https://snug.example', isThere: async () => false };

/** A `fetch` whose answers come in these pieces, and break off where the last is an error. */
function answering(...pieces: (string | Error)[]): typeof globalThis.fetch {
	return () => {
		const left = pieces.values();
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				const { value, done } = left.next();
				if (done) controller.close();
				else if (value instanceof Error) controller.error(value);
				else controller.enqueue(new TextEncoder().encode(value));
			}
		});
		return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
	};
}

const box = { name: 'Box', baseUrl: 'https://box.example/v1' };

test('[P8] a list of models that is too long, or breaks off, is a failure with a sentence', async () => {
	const long = answering('{"data":[', ...Array.from({ length: 5 }, () => ' '.repeat(2 ** 20)), ']}');
	await expect(listModels(box, { protocol, reach, fetch: long })).rejects.toMatchObject({ code: 'server-too-much' });
	const broken = answering('{"data":[', new TypeError('network error'));
	await expect(listModels(box, { protocol, reach, fetch: broken })).rejects.toMatchObject({ code: 'server-broke-off' });
});

test('[P8] an offer of a model that breaks off is a connection that failed', async () => {
	const broken = answering('{"name":', new TypeError('network error'));
	await expect(findDefaultWeights(new URL('/', location.href).href, { fetch: broken })).rejects.toMatchObject({ kind: 'broke-off' });
});
