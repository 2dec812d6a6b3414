import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

/**
 * Returns the body of the request that a server would be sent for these options. Nothing leaves the page: `open` makes the
 * model with a `fetch` that keeps the request and answers with an empty stream.
 */
export async function requestBody(
	open: (fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>,
	options: LanguageModelV4CallOptions
): Promise<unknown> {
	let body = '';
	const model = await open((_, init) => {
		body = init?.body as string;
		return Promise.resolve(new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } }));
	});
	await (await model.doStream(options)).stream.cancel();
	return JSON.parse(body);
}
