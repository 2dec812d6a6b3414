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
	['return 10n ** 30n', { value: '1000000000000000000000000000000', logs: [] }]
])('[R1] a script is run: %s', async (code, end) => expect(await run(code)).toEqual(end));

it.each([
	['throw new Error("No luck")', /No luck/],
	['return missing', /missing is not defined/],
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
		return { reached, origin };
	`);
	expect(JSON.parse(value!)).toEqual({ reached: [], origin: 'null' });
});

it('[P8] whatever a script tells is text within limits', async () => {
	const forged = await run('postMessage(JSON.stringify({ value: { a: 1 }, error: 7, logs: "x" })); await new Promise(() => {})');
	expect(forged).toEqual({ logs: [] });
	expect((await run('postMessage({ a: 1 }); await new Promise(() => {})')).error).toMatch('can’t be read');
	const huge = await run('postMessage("[".repeat(1e7)); await new Promise(() => {})');
	expect(huge).toEqual({ error: 'The script ended in a way that can’t be read.', logs: [] });
	const long = await run('for (let i = 0; i < 1e5; i++) console.log("x".repeat(100)); return "y".repeat(1e6)');
	expect(long.value).toHaveLength(40_000);
	expect(long.logs[0]!.length).toBeLessThanOrEqual(40_000);
});

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
