/** No usable connection: nothing could be reached, nothing came for too long, or it broke in the middle of an answer. */
export class ConnectionFailure extends Error {
	constructor(
		readonly kind: 'unreachable' | 'slow' | 'broke-off',
		options?: ErrorOptions
	) {
		super(`connection failure: ${kind}`, options);
		this.name = 'ConnectionFailure';
	}
}

/** An answer that is not what was asked for: an HTTP error, or a 2xx that holds something else. */
export class UnfitAnswer extends Error {
	constructor(
		readonly status: number,
		readonly body: string,
		readonly headers: Headers = new Headers()
	) {
		super(`unfit answer: ${status}`);
		this.name = 'UnfitAnswer';
	}
}

/**
 * A `fetch` for model servers. It throws ConnectionFailure where there is no connection, also in the middle of the body
 * and after `silence` milliseconds without a byte; and UnfitAnswer for HTTP errors and web pages. When the caller's own
 * signal aborts, that comes through as `fetch` throws it.
 */
export function serverFetch(fetch: typeof globalThis.fetch, silence: number): typeof globalThis.fetch {
	return async (input, init = {}) => {
		const watch = new AbortController();
		const signal = init.signal ? AbortSignal.any([init.signal, watch.signal]) : watch.signal;

		const patiently = async <T>(step: Promise<T>, otherwise: ConnectionFailure['kind']): Promise<T> => {
			const timer = setTimeout(() => watch.abort(), silence);
			try {
				return await step;
			} catch (cause) {
				if (init.signal?.aborted) throw cause;
				throw new ConnectionFailure(watch.signal.aborted ? 'slow' : otherwise, { cause });
			} finally {
				clearTimeout(timer);
			}
		};

		// A user-agent header would say which library we use, and make servers refuse the CORS preflight.
		const headers = new Headers(init.headers);
		headers.delete('user-agent');
		const response = await patiently(fetch(input, { ...init, headers, signal }), 'unreachable');
		const { status } = response;
		if (!response.ok || response.headers.get('content-type')?.includes('text/html')) {
			throw new UnfitAnswer(status, await patiently(response.text(), 'broke-off'), response.headers);
		}
		const reader = response.body?.getReader();
		const body = reader && readable(() => patiently(reader.read(), 'broke-off'), (reason) => reader.cancel(reason));
		return new Response(body, { status, headers: response.headers });
	};
}

function readable(
	read: () => Promise<ReadableStreamReadResult<Uint8Array>>,
	cancel: (reason: unknown) => Promise<void>
): ReadableStream<Uint8Array> {
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await read();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel
	});
}
