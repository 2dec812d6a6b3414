import { createPause } from './pause';

/** Rules for a kind of request. */
interface Rules {
	/** The app's own host, one other, or any http(s) address that the user named. */
	to: 'own-host' | 'https://huggingface.co' | 'anywhere';
	/**
	 * A redirect can be seen only by following it, which repeats to another host what was sent to this one. So it is refused where
	 * words or a key are sent, and followed where nothing is sent but an address.
	 */
	redirects: 'refused' | 'within-host' | 'followed';
	/** The most that is read of an answer, in bytes. */
	maxBytes: number;
	/** The most of it that is passed on at a time, in bytes, where each byte takes work; else all that is there. */
	pieceBytes?: number;
	/** The longest wait without a byte, and for the whole answer. */
	silenceMs: number;
	deadlineMs?: number;
}

/** Statuses of answers that have no body, and can't be made with one. */
const withoutBody = [204, 205, 304];

const mebibyte = 2 ** 20;
const minute = 60_000;

/** All that Snug ever asks for, by purpose. The service worker refuses what goes elsewhere in another form than `send` gives it. */
const purposes = {
	/** A file of the app that can't be imported. */
	'app-file': { to: 'own-host', redirects: 'within-host', maxBytes: 64 * mebibyte, silenceMs: 30_000 },
	/** The question whether the host has a model beside the app. */
	'model-offer': { to: 'own-host', redirects: 'within-host', maxBytes: mebibyte / 16, silenceMs: 4000, deadlineMs: 4000 },
	/** The models of a server, asked with its key. */
	'model-list': { to: 'anywhere', redirects: 'refused', maxBytes: 4 * mebibyte, silenceMs: 10_000, deadlineMs: 30_000 },
	/** A request by which it is found out what keeps a server from answering. It has no words, but the key where that is what is tried; of the answer its head counts. */
	'server-check': { to: 'anywhere', redirects: 'refused', maxBytes: mebibyte / 16, silenceMs: 6000, deadlineMs: 8000 },
	/** An answer. Servers load models from slow disks and read long prompts before they say anything. */
	answer: { to: 'anywhere', redirects: 'refused', maxBytes: 256 * mebibyte, pieceBytes: 16 * 1024, silenceMs: 5 * minute, deadlineMs: 60 * minute },
	/** A page of the web that a model asks for, with the user's permission. Its address may have words in it, which its host alone may be told. */
	page: { to: 'anywhere', redirects: 'refused', maxBytes: 8 * mebibyte, silenceMs: 15_000, deadlineMs: 45_000 },
	/** A list of a tool server’s, or the result of a call. */
	'tool-server': { to: 'anywhere', redirects: 'refused', maxBytes: 8 * mebibyte, pieceBytes: 64 * 1024, silenceMs: 2 * minute, deadlineMs: 5 * minute },
	/** The words of a search for models, or the name of a repository. */
	'model-search': { to: 'https://huggingface.co', redirects: 'refused', maxBytes: 4 * mebibyte, silenceMs: 15_000, deadlineMs: 30_000 },
	/** The way to sign in for a tool server, and a token that comes of it. */
	'sign-in': { to: 'anywhere', redirects: 'refused', maxBytes: mebibyte / 4, silenceMs: 15_000, deadlineMs: 30_000 },
	/** A model file, whose hosts redirect to where they keep it. How long it may be is for the disk to say. */
	'model-file': { to: 'anywhere', redirects: 'followed', maxBytes: Infinity, silenceMs: 30_000 }
} satisfies Record<string, Rules>;

export type Purpose = keyof typeof purposes;

/**
 * An answer that did not come, or not whole: nothing could be reached, nothing came for too long, it broke off, it is longer than
 * is read, or it came from elsewhere.
 */
export class ConnectionFailure extends Error {
	constructor(
		readonly kind: 'unreachable' | 'slow' | 'broke-off' | 'too-large' | 'redirected',
		options?: ErrorOptions
	) {
		super(`connection failure: ${kind}`, options);
		this.name = 'ConnectionFailure';
	}
}

/** Replacements for the network and its waits, for tests. */
export interface Egress {
	fetch?: typeof globalThis.fetch | undefined;
	silenceMs?: number | undefined;
	deadlineMs?: number | undefined;
}

/**
 * Sends a request: the only way out of the page and its workers. Throws ConnectionFailure, also from the middle of the body; when
 * the caller's own signal aborts, its reason comes through as `fetch` throws it.
 */
export async function send(
	purpose: Purpose,
	address: string | URL,
	init: RequestInit = {},
	{ fetch = globalThis.fetch, ...waits }: Egress = {}
): Promise<Response> {
	const rules: Rules = purposes[purpose];
	const { silenceMs = rules.silenceMs, deadlineMs = rules.deadlineMs } = waits;
	const url = new URL(address);
	// A blob of this origin is the page's own; it leads nowhere.
	const isOwnBlob = url.protocol === 'blob:' && url.origin === globalThis.location?.origin;
	if (!isOwnBlob && !/^https?:$/.test(url.protocol)) throw new Error(`no request goes to ${url.protocol}`);
	if (rules.to === 'own-host' && globalThis.location && url.origin !== location.origin) throw new Error(`${purpose} is asked of the app's own host`);
	if (rules.to.startsWith('https:') && url.origin !== rules.to) throw new Error(`${purpose} is asked of ${rules.to}`);

	const watch = new AbortController();
	const deadline = deadlineMs === undefined ? undefined : setTimeout(() => watch.abort(), deadlineMs);
	const signal = init.signal ? AbortSignal.any([init.signal, watch.signal]) : watch.signal;
	const inTime = async <T>(step: Promise<T>, otherwise: ConnectionFailure['kind']): Promise<T> => {
		const silence = setTimeout(() => watch.abort(), silenceMs);
		try {
			return await step;
		} catch (cause) {
			clearTimeout(deadline);
			if (init.signal?.aborted) throw cause;
			throw new ConnectionFailure(watch.signal.aborted ? 'slow' : otherwise, { cause });
		} finally {
			clearTimeout(silence);
		}
	};

	const response = await inTime(
		fetch(url, {
			...init,
			signal,
			redirect: rules.redirects === 'refused' ? 'manual' : 'follow',
			referrerPolicy: 'no-referrer',
			credentials: rules.to === 'own-host' ? 'same-origin' : 'omit'
		}),
		'unreachable'
	);
	if (wasRedirected(response, url, rules.redirects)) {
		clearTimeout(deadline);
		watch.abort();
		throw new ConnectionFailure('redirected');
	}
	const { status, statusText, headers } = response;
	if (!response.body || withoutBody.includes(status)) {
		clearTimeout(deadline);
		// Browsers have a body there too, which nothing limits.
		watch.abort();
		return new Response(null, { status, statusText, headers });
	}
	const reader = response.body.getReader();
	const pause = createPause();
	let received = 0;
	/** Bytes that were read and not passed on. */
	let rest = new Uint8Array();
	const passOn = (controller: ReadableStreamDefaultController<Uint8Array>) => {
		controller.enqueue(rest.subarray(0, rules.pieceBytes));
		rest = rest.subarray(rules.pieceBytes ?? rest.length);
	};
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			// The page has no turn of its own between reads of what is there already.
			await pause();
			if (rest.length > 0) return passOn(controller);
			const { done, value } = await inTime(reader.read(), 'broke-off');
			if (done) {
				clearTimeout(deadline);
				controller.close();
				return;
			}
			received += value.byteLength;
			if (received > rules.maxBytes) {
				clearTimeout(deadline);
				watch.abort();
				throw new ConnectionFailure('too-large');
			}
			rest = value;
			passOn(controller);
		},
		cancel(reason) {
			clearTimeout(deadline);
			return reader.cancel(reason);
		}
	});
	return new Response(body, { status, statusText, headers });
}

/**
 * The text of an answer, up to a length in UTF-16 units, after which it is let go. Throws what `send` and its body throw, which a
 * Response's own readers may put a TypeError in the place of.
 */
export async function textOf({ body }: Response, longest = Infinity): Promise<string> {
	const reader = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
	if (!reader) return '';
	let text = '';
	for (let read = await reader.read(); !read.done && text.length < longest; read = await reader.read()) text += read.value;
	await reader.cancel();
	return text.slice(0, longest);
}

/** The bytes of an answer. Throws as `textOf` does. */
export async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
	const pieces: BlobPart[] = [];
	const reader = body?.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
	for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) pieces.push(read.value);
	return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Says whether an answer is a redirect that is not followed, or one from where it was not asked. */
function wasRedirected({ type, status, redirected, url }: Response, asked: URL, allowed: Rules['redirects']): boolean {
	// A browser hides the status of a redirect that it does not follow; Node does not.
	if (allowed === 'refused') return type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);
	return allowed === 'within-host' && redirected && new URL(url).origin !== asked.origin;
}
