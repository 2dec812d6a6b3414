import { expect, it } from 'vitest';
import { runScript } from './script-frame';

const run = (code: string) => runScript(code, new AbortController().signal);

it.each<[string, object]>([
	['return 2 + 2', { value: '4', logs: [] }],
	['const words = ["a", "b"]; return words.map((word) => ({ word }))', { value: '[{"word":"a"},{"word":"b"}]', logs: [] }],
	['console.log("one", 1); console.error({ two: 2 }); return "</script><!-- \\u2028"', { value: '</script><!-- \u2028', logs: ['one 1\n{"two":2}'] }],
	['return await new Promise((resolve) => setTimeout(() => resolve("late"), 10))', { value: 'late', logs: [] }],
	['1 + 1', { logs: [] }],
	['const loop = {}; loop.loop = loop; return loop', { value: '[object Object]', logs: [] }],
	['const bare = Object.create(null); bare.self = bare; console.log(bare); return bare', { value: 'A value that can’t be shown.', logs: ['A value that can’t be shown.'] }],
	['return 10n ** 30n', { value: '1000000000000000000000000000000', logs: [] }]
])('[R1] a script is run: %s', async (code, end) => expect(await run(code)).toEqual(end));

it.each([
	['throw new Error("No luck")', /No luck/],
	['return missing', /missing is not defined/],
	['const error = new TypeError("No luck"); error.stack = "@blob:1:2"; throw error', /^TypeError: No luck\n@blob:1:2$/],
	['setTimeout(() => { throw new Error("Too late") }); await new Promise(() => {})', /Too late/],
	['return (', /SyntaxError|expected expression/]
])('[R1] a script that fails says why: %s', async (code, message) => expect((await run(code)).error).toMatch(message));

it('[P8] a script reaches no network, no storage and no page', async () => {
	const { value } = await run(`
		const reached = [];
		const url = ${JSON.stringify(location.href)};
		const tries = {
			fetch: () => fetch(url),
			script: () => importScripts(url),
			request: () => new Promise((resolve, reject) => { const request = new XMLHttpRequest(); request.onload = resolve; request.onerror = reject; request.open('GET', url); request.send(); }),
			socket: () => new Promise((resolve, reject) => { const socket = new WebSocket(url.replace('http', 'ws')); socket.onopen = resolve; socket.onerror = reject; }),
			source: () => new Promise((resolve, reject) => { const source = new EventSource(url); source.onopen = resolve; source.onerror = reject; }),
			worker: () => new Promise((resolve, reject) => { const worker = new Worker(url); worker.onmessage = resolve; worker.onerror = reject; }),
			database: () => new Promise((resolve, reject) => { const request = indexedDB.open('snug'); request.onsuccess = resolve; request.onerror = reject; }),
			caches: () => caches.keys(),
			files: () => navigator.storage.getDirectory(),
			page: () => document.body,
			peer: () => new RTCPeerConnection(),
			parent: () => parent.location
		};
		for (const [name, attempt] of Object.entries(tries)) try { await attempt(); reached.push(name); } catch {}
		return reached;
	`);
	expect(JSON.parse(value!)).toEqual([]);
});

it('[P8] whatever a script tells is text within limits', async () => {
	const forged = await run('JSON.stringify = () => ({ a: 1 }); String.prototype.slice = () => ({ a: 1 }); return 1');
	expect(forged).toEqual({ logs: [] });
	const huge = await run('String.prototype.slice = () => "[".repeat(1e7); return 1');
	expect(huge).toEqual({ error: 'The script ended in a way that can’t be read.', logs: [] });
	expect(await run('tellEnd({ value: "first" }); return "second"')).toEqual({ value: 'first', logs: [] });
	const long = await run('for (let i = 0; i < 1e5; i++) console.log("x".repeat(100)); return "y".repeat(1e6)');
	expect(long.value).toHaveLength(40_000);
	expect(long.logs[0]!.length).toBeLessThanOrEqual(40_000);
});

it('[P8] a script has what computes, and nothing that gives the page work', async () => {
	const { value } = await run(`
		const missing = (name) => !(name in globalThis);
		const wanted = ['Math', 'Intl', 'crypto', 'performance', 'structuredClone', 'TextEncoder', 'URL', 'setTimeout', 'console'].filter(missing);
		const withheld = ['postMessage', 'Worker', 'fetch', 'WebSocket', 'FontFace', 'BroadcastChannel', 'OffscreenCanvas', 'WebAssembly', 'Function', 'eval', 'close', 'navigator'].filter((name) => !missing(name));
		const makers = [() => 0, async () => 0, function* () {}].filter((made) => made.constructor.name.endsWith('Function'));
		return { wanted, withheld, makers, text: setTimeout('never()') };
	`);
	expect(JSON.parse(value!)).toEqual({ wanted: [], withheld: [], makers: [], text: 0 });
});

it('[P8] a script has random numbers, and nothing else of what a browser computes beside it', async () => {
	const { value } = await run(`
		const found = [];
		for (let at = globalThis; at; at = Reflect.getPrototypeOf(at)) if (Reflect.getOwnPropertyDescriptor(at, 'crypto')?.get) found.push('crypto');
		const { getRandomValues, randomUUID, ...more } = crypto;
		return { found, more, made: crypto.constructor === Object, numbers: getRandomValues(new Uint8Array(40)).some((one) => one > 0), length: (randomUUID?.() ?? 'x'.repeat(36)).length };
	`);
	expect(JSON.parse(value!)).toEqual({ found: [], more: {}, made: true, numbers: true, length: 36 });
});

it.each([
	'function crypto() {}',
	'function Set() { stash = [fetch, Worker, URL.createObjectURL]; return { has: () => true } }',
	'function addEventListener() { stash = [fetch, Worker, URL.createObjectURL] }',
	'function addEventListener() { stash = (() => 0).constructor.name === "Function" || URL.createObjectURL }',
	'function globalThis() {}',
	'function self() {}',
	'function Object() {}',
	'function Reflect() {}',
	'function Event() {}',
	'let Reflect',
	'class Object {}'
])('[P8] a script that ends the function around it finds nothing more: %s', async (declared) => {
	const { value, error } = await run(`}); var stash; ${declared}\n(async () => { return [typeof fetch, typeof Worker, typeof WebSocket, typeof importScripts, typeof stash].join() })().then((value) => tellEnd({ value })); (async () => {\nawait new Promise(() => 0)`);
	// Where what takes all away can't be run, nothing of the script is.
	if (error === undefined) expect(value).toBe('undefined,undefined,undefined,undefined,undefined');
	else expect(error).toMatch(/Error|not|could/);
});

it.each(['import("data:,")', 'import\n("x")', '[...import/**/("x")]', 'import <!-- x\n("y")', 'import\n--> x\n("y")', 'import.source("x")'])('[P8] a script that imports is not run: %j', async (code) =>
	expect((await run(code)).error).toContain('can’t import')
);

it('[R1] a script may have the word “import” in its texts', async () => expect((await run('return "import/export: no import."')).value).toBe('import/export: no import.'));

it('[R2] a script that is stopped, or goes on for ever, is gone with its frame', async () => {
	const stop = new AbortController();
	const work = runScript('for (;;);', stop.signal);
	await expect.poll(() => document.querySelectorAll('iframe[title="Script"]').length).toBe(1);
	const reason = new Error('stopped');
	stop.abort(reason);
	await expect(work).rejects.toBe(reason);
	expect((await run('for (;;);')).error).toBe('The script ran for 10 seconds and was stopped.');
	expect(document.querySelectorAll('iframe[title="Script"]')).toHaveLength(0);
});
