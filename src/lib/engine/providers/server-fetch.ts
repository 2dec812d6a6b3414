import { ConnectionFailure, send, textOf, type Egress, type Purpose } from '../../shared/egress';
import { JsonCounter } from '../../shared/json-counter';

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
 * A `fetch` for model servers. It throws ConnectionFailure as `send` does, and UnfitAnswer for HTTP errors and web pages. Of an
 * answer it passes on whole lines only, and none of an event that is longer than any server's, or has more in it.
 */
export function serverFetch(purpose: Extract<Purpose, 'model-list' | 'answer'>, egress: Egress = {}): typeof globalThis.fetch {
	return async (input, init = {}) => {
		// A user-agent header would say which library we use, and make servers refuse the CORS preflight.
		const headers = new Headers(init.headers);
		headers.delete('user-agent');
		const response = await send(purpose, input instanceof Request ? input.url : input, { ...init, headers }, egress);
		const { status } = response;
		const type = response.headers.get('content-type') ?? '';
		if (!response.ok || type.includes('text/html')) throw new UnfitAnswer(status, await textOf(response, maxError), response.headers);
		// Whatever its type: the SDK reads a stream also from what says that it is JSON.
		const body = purpose === 'answer' ? response.body?.pipeThrough(new TransformStream(new WholeLines())) : response.body;
		return new Response(body ?? null, { status, headers: response.headers });
	};
}

/** The most that is read of an error, in UTF-16 units; most are a sentence. */
const maxError = 64 * 1024;

/** The longest event of a stream, in bytes. They hold a word or a few. */
const maxEvent = 2 ** 20;

/** The most values of JSON in an event, of which a list counts twice: of each that does not fit the SDK makes some objects, and one sentence of all. */
const maxValues = 50_000;

const newline = 10;
const carriageReturn = 13;

/** Passes on bytes up to the last end of a line: an event in a thousand pieces would else be put together a thousand times. */
class WholeLines implements Transformer<Uint8Array, Uint8Array> {
	private waiting: Uint8Array[] = [];
	private lineBytes = 0;
	private eventBytes = 0;
	private json = new JsonCounter();

	transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
		for (const byte of chunk) this.count(byte);
		const end = chunk.lastIndexOf(newline) + 1;
		if (end > 0) {
			for (const piece of this.waiting.splice(0)) controller.enqueue(piece);
			controller.enqueue(chunk.subarray(0, end));
		}
		if (end < chunk.length) this.waiting.push(chunk.subarray(end));
	}

	flush(controller: TransformStreamDefaultController<Uint8Array>): void {
		for (const piece of this.waiting) controller.enqueue(piece);
	}

	private count(byte: number): void {
		this.eventBytes++;
		this.json.take(byte);
		if (byte === newline) {
			// An empty line ends an event.
			if (this.lineBytes === 0) {
				this.eventBytes = 0;
				this.json = new JsonCounter();
			}
			this.lineBytes = 0;
		} else if (byte !== carriageReturn) {
			this.lineBytes++;
		}
		if (this.eventBytes > maxEvent || this.json.values > maxValues) throw new ConnectionFailure('too-large');
	}
}
