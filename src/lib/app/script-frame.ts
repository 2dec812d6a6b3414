import { inScript } from '../markdown/preview';
import type { RunScript, ScriptEnd } from '../tools/ports';

/** Milliseconds that a script may run. */
const longestRun = 10_000;

/** The most text that a script gives back: of its value, and of all that it logs. In UTF-16 units. */
const longestText = 40_000;

/** A call of `import`, which no worker can be without: the page has work with each, though none gets anything. */
const imports = /\bimport\s*(?:\(|\/[*/]|<!--|-->|\.\s*(?:\/[*/]|<!--|-->|source|defer))/;

/**
 * Runs a script in a worker, in the frame for previews (`static/preview.html`), which has an opaque origin and no network. What comes from there is
 * believed no more than any text is.
 */
export const runScript: RunScript = (code, signal) =>
	new Promise((resolve, reject) => {
		if (imports.test(code)) return resolve({ error: 'Nothing was run: a script can’t import. Leave that out.', logs: [] });
		const token = crypto.randomUUID();
		const frame = document.createElement('iframe');
		frame.title = 'Script';
		frame.hidden = true;
		frame.src = new URL('preview.html', new URL(import.meta.env.BASE_URL, location.href)).href;
		frame.onload = () => frame.contentWindow?.postMessage({ html: documentOf(code, token), runsScripts: true }, location.origin);
		const over = new AbortController();
		const end = (how: () => void) => {
			over.abort();
			clearTimeout(timer);
			frame.remove();
			how();
		};
		const timer = setTimeout(() => end(() => resolve({ error: `The script ran for ${longestRun / 1000} seconds and was stopped.`, logs: [] })), longestRun);
		const hear = ({ data }: MessageEvent<unknown>) => {
			if (!isTold(data) || data.token !== token) return;
			end(() => resolve(endIn(data.told)));
		};
		addEventListener('message', hear, { signal: over.signal });
		signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)), { signal: over.signal });
		document.body.append(frame);
	});

const isTold = (data: unknown): data is { token: string; told: string } => typeof data === 'object' && data !== null && 'token' in data && 'told' in data && typeof data.told === 'string';

/** Reads what a script told, which may be anything. */
function endIn(told: string): ScriptEnd {
	try {
		const { value, error, logs } = JSON.parse(told) as Record<string, unknown>;
		return {
			...(typeof value === 'string' ? { value: value.slice(0, longestText) } : {}),
			...(typeof error === 'string' ? { error: error.slice(0, longestText) } : {}),
			logs: Array.isArray(logs) ? [logs.filter((line) => typeof line === 'string').join('\n').slice(0, longestText)].filter(Boolean) : []
		};
	} catch {
		return { error: 'The script ended in a way that can’t be read.', logs: [] };
	}
}

/** Returns a document that runs the script in a worker and tells its end to the app. */
function documentOf(code: string, token: string): string {
	const source = `(${prepare.toString()})(${longestText}, this);(async () => {\n${code}\n})().then((value) => tellEnd({ value }), (error) => tellEnd({ error }));`;
	return `<!doctype html><script>${inScript(`(${begin.toString()})(${JSON.stringify(source)},${JSON.stringify(token)},${JSON.stringify(location.origin)},${longestText})`)}</script>`;
}

/** Starts the worker. Runs in the frame, so it knows nothing of this file. */
function begin(source: string, token: string, origin: string, longest: number): void {
	const tell = (told: string) => parent.parent.postMessage({ token, told }, origin);
	const fail = (error: string) => tell(JSON.stringify({ error: error.slice(0, longest) }));
	try {
		const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
		// What tells the end can be told by the script too, and be anything; each character takes six as JSON at most.
		worker.onmessage = ({ data }) => (typeof data === 'string' && data.length < 16 * longest ? tell(data) : fail('The script ended in a way that can’t be read.'));
		worker.onerror = (event) => fail(event.message || 'The script could not be run.');
	} catch (error) {
		fail(String(error));
	}
}

/**
 * Takes what is logged, and has `tellEnd` for the script's end, which alone leaves the worker. A script has what computes and no more: the page has
 * work with each message, worker and request, also with those that the policy refuses. Runs in the worker, so it knows nothing of this file.
 *
 * A script that ends the function around it can declare functions that are there before this runs: until all is taken away, none that has a name of
 * its own in `scope`, the worker's global object, is called here, nor is that object looked for by a name.
 */
function prepare(longest: number, scope: object): void {
	// The script may put others in the place of all that it finds.
	const { post, stringify, listen, apply, preventDefault } = { post: postMessage, stringify: JSON.stringify, listen: addEventListener, apply: Reflect.apply, preventDefault: Event.prototype.preventDefault };
	const names = (
			'AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DOMException DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array ' +
			'Float64Array Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer ' +
			'String Symbol SyntaxError Temporal TextDecoder TextEncoder TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet ' +
			'atob btoa clearInterval clearTimeout decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite isNaN parseFloat parseInt performance queueMicrotask ' +
			'self structuredClone undefined unescape'
	).split(' ');
	const kept: Record<string | symbol, true> = { __proto__: null } as never;
	for (const name of names) kept[name] = true;
	const timers = [setTimeout, setInterval];
	// Its random numbers only: what else it computes goes on after the worker's end, and has the page's own digests wait.
	const random = crypto;
	const { getRandomValues, randomUUID } = random;
	const { ownKeys, deleteProperty, getPrototypeOf } = Reflect;
	const last = getPrototypeOf({});
	for (let at = scope; at !== last; at = getPrototypeOf(at)!) {
		for (const name of ownKeys(at)) if (!kept[name]) deleteProperty(at, name);
	}
	deleteProperty(URL, 'createObjectURL');
	// What makes a script of a text is refused, too.
	for (const made of [() => 0, async () => 0, function* () {}, async function* () {}]) deleteProperty(getPrototypeOf(made)!, 'constructor');
	// Else all of the message would be sent.
	apply(listen, scope, [
		'error',
		(event: ErrorEvent) => {
			apply(preventDefault, event, []);
			tellEnd({ error: event.error });
		}
	]);
	for (const [index, name] of ['setTimeout', 'setInterval'].entries()) {
		Object.assign(scope, { [name]: (run: unknown, ...more: unknown[]): unknown => (typeof run === 'function' ? apply(timers[index]!, scope, [run, ...more]) : 0) });
	}
	const logs: string[] = [];
	let room = longest;
	let isTold = false;
	const textOf = (value: unknown): string => {
		try {
			return textOrThrow(value);
		} catch {
			return 'A value that can’t be shown.';
		}
	};
	const textOrThrow = (value: unknown): string => {
		if (typeof value === 'string') return value;
		if (value instanceof Error) {
			const said = String(value);
			const stack = value.stack ?? '';
			// Firefox has where it was thrown there, and not what it says.
			return stack.startsWith(said) ? stack : `${said}\n${stack}`;
		}
		try {
			return (stringify(value) as string | undefined) ?? String(value);
		} catch {
			return String(value);
		}
	};
	const log = (...values: unknown[]) => {
		if (room <= 0) return;
		const line = values.map(textOf).join(' ').slice(0, room);
		room -= line.length + 1;
		logs.push(line);
	};
	const tellEnd = (end: { value: unknown } | { error: unknown }) => {
		if (isTold) return;
		isTold = true;
		const said = 'value' in end ? (end.value === undefined ? {} : { value: textOf(end.value).slice(0, longest) }) : { error: textOf(end.error).slice(0, longest) };
		apply(post, scope, [stringify({ ...said, logs })]);
	};
	const numbers = { getRandomValues: (into: Uint8Array) => apply(getRandomValues, random, [into]) as Uint8Array, ...(randomUUID && { randomUUID: () => apply(randomUUID, random, []) as string }) };
	Object.assign(scope, { tellEnd, crypto: numbers, console: { log, info: log, warn: log, error: log, debug: log } });
}
