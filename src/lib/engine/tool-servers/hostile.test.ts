import { afterAll, beforeAll, expect, test } from 'vitest';
import { mean, startHostileToolServer } from '../../../../tests/fixtures/hostile-tool-server.mjs';
import { connections } from '../../../../tests/fixtures/tool-servers';
import type { Tool } from '../../tools/tool';
import { lineOf } from './server-tool';

let server: Awaited<ReturnType<typeof startHostileToolServer>>;
beforeAll(async () => {
	server = await startHostileToolServer();
});
afterAll(() => server.close());

const context = (signal = new AbortController().signal) => ({ sessionId: 's', signal });

/** Adds the server that does so, and returns its first tool. */
async function toolAt(scenario: string, token?: string): Promise<Tool> {
	const { servers } = connections();
	const { tools } = await servers.add({ address: server.urlOf(scenario), ...(token && { token }) });
	return (await servers.tools([tools[0]!.callName]))[0]!;
}

test.each(['endless', 'silent'])('[R1] a call that never ends (%s) ends with its signal, and lets the server go', async (scenario) => {
	const tool = await toolAt(scenario);
	const reason = new Error('stopped');
	const stop = new AbortController();
	const running = tool.run({}, context(stop.signal));
	setTimeout(() => stop.abort(reason), 200);
	await expect(running).rejects.toBe(reason);
	await expect.poll(() => server.open()).toBe(0);
});

test.each([
	['wrong-ids', /in a way that Snug does not understand/],
	['nonsense', /in a way that Snug does not understand/],
	['no-result', /in a way that Snug does not understand/],
	['huge', /more than a result can be/],
	['values', /more than a result can be/],
	['streamed-values', /more than a result can be/]
])('[R1] a server that answers badly (%s) is an error that the model reads', async (scenario, sentence) => {
	const tool = await toolAt(scenario);
	expect(await tool.run({}, context())).toMatchObject({ isError: true, output: expect.stringMatching(sentence) as unknown });
});

test('[R1] a result that is long is whole; one in many parts or nested deep is text up to a limit', async () => {
	expect((await (await toolAt('long')).run({}, context())).output).toBe('long '.repeat(1_000_000));
	expect((await (await toolAt('parts')).run({}, context())).output).toMatch(/^0\n\n1\n\n.*\n\n199\n\n\[… 19800 more parts\]$/s);
	expect((await (await toolAt('deep')).run({}, context())).output).toBe('[A value that is too large to be passed on]');
});

test('[R1] of tools in their thousands 200 are listed; a list without an end, a page and a redirect are told in a sentence', async () => {
	const { servers, rows } = connections();
	const { tools, leftOut } = await servers.add({ address: server.urlOf('many') });
	expect([tools.length, leftOut]).toEqual([200, 9800]);
	await expect(servers.add({ address: server.urlOf('pages') })).rejects.toMatchObject({ code: 'server-nonsense' });
	await expect(servers.add({ address: server.urlOf('html') })).rejects.toMatchObject({ code: 'server-nonsense' });
	await expect(servers.add({ address: server.urlOf('redirects') })).rejects.toMatchObject({ code: 'server-redirects' });
	expect(rows.size).toBe(1);
});

test('[R1] no tool of a server has a name of Snug’s or of another one; each is told in one line, and passed on to the letter', async () => {
	const { servers } = connections();
	const { tools, leftOut } = await servers.add({ address: server.urlOf('names'), name: '\u202eNotes” (example.com)' });
	const callNames = tools.map(({ callName }) => callName);
	expect(new Set(callNames).size).toBe(callNames.length);
	for (const callName of callNames) expect(callName).toMatch(/^mcp_[a-z0-9_]{1,60}$/);
	expect(tools.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'session_search', 'notes_write', 'look', 'a.b', 'a_b', 'x'.repeat(64), 'ピア', 'mean']);
	expect(leftOut).toBe(4);
	const offered = await servers.tools(callNames);
	const last = offered.at(-1)!;
	expect(last.description).toBe(mean);
	expect(lineOf(`a${'\u0301'.repeat(500)}\n“b”`, 80)).toMatch(/^a\u0301{1,30} "b"$/);
	const preview = await last.preview!({ a: mean }, context());
	expect(preview).toHaveProperty('sentence', expect.stringMatching(/^Call “Read notes"[^\u202e\u001b“”]*” of the tool server Notes” \(example\.com\) \(127\.0\.0\.1:\d+\)$/));
	expect(preview).toHaveProperty('sent', JSON.stringify({ a: mean }, undefined, 2));
	// Another server’s tool of that name, and what it says, is another tool.
	const again = connections();
	again.rows.set('other', { id: 'other', name: 'x', url: 'http://localhost/', createdAt: 0, tools: [] });
	expect(await again.servers.tools(callNames)).toEqual([]);
});

test('[R1] schemas that are deep, wide or wordy are left out, and none is run', async () => {
	const { servers } = connections();
	const { tools, leftOut } = await servers.add({ address: server.urlOf('schemas') });
	expect([tools.map(({ name }) => name), leftOut]).toEqual([['slow'], 3]);
	const [slow] = await servers.tools([tools[0]!.callName]);
	expect(await slow!.preview!({ a: `${'a'.repeat(50)}!`, b: {} }, context())).toHaveProperty('sent');
	for (const input of ['text', 5, null, [1]]) expect(await slow!.preview!(input, context())).toMatchObject({ isError: true });
	// Nor is that of a result, which does not fit.
	expect(await slow!.run({}, context())).toEqual({ output: `{"a":"${'a'.repeat(20)}!"}`, isError: false });
});

test('[R1] a server that asks for something in the middle of a call is refused', async () => {
	const tool = await toolAt('asks');
	expect(await tool.run({}, context())).toEqual({ output: 'Asked.', isError: false });
	await expect.poll(() => server.answers.length).toBe(3);
	for (const answer of server.answers) expect(answer).toMatchObject({ error: { code: -32601 } });
});

test('[R1] a server is asked for the rest of its answer once a second at most, whatever it says', async () => {
	const tool = await toolAt('again');
	await expect(tool.run({}, context(AbortSignal.timeout(2500)))).rejects.toMatchObject({ name: 'TimeoutError' });
	const asked = server.requests.filter((request) => request === 'GET /again/mcp').length;
	expect(asked).toBeGreaterThan(0);
	expect(asked).toBeLessThan(4);
});

test('[R1] a server that asks without an end is answered a few times, and let go, also once its result is there', async () => {
	const tool = await toolAt('pings');
	const before = server.answers.length;
	expect(await tool.run({}, context())).toMatchObject({ isError: true, output: expect.stringContaining('asks for more than Snug answers') as unknown });
	await expect.poll(() => server.open()).toBe(0);
	expect((await tool.run({ first: true }, context())).output).toBe('Asked.');
	await expect.poll(() => server.open()).toBe(0);
	expect(server.answers.length - before).toBeLessThanOrEqual(100);
});

test('[R1] a token that a server says is said to nobody', async () => {
	const token = 'tok-Zq7Wm3Xv9Lp2Rt5Yk8Nd';
	const { output } = await (await toolAt('echo', token)).run({}, context());
	expect(output).toMatch(/says: “No: Bearer \[API key\]”/);
	expect(output).not.toContain(token);
	const tool = await toolAt('repeats', token);
	expect(await tool.run({}, context())).toEqual({ output: 'Pears. [API key]', isError: false });
	expect(await tool.run({ fails: true }, context())).toEqual({ output: 'Pears. [API key]', isError: true });
});

test('[R1] a token is in nothing that a server offers, nor in what is attached of it, also as bytes', async () => {
	const token = 'tok-Zq7Wm3Xv9Lp2Rt5Yk8Nd';
	const { servers } = connections();
	await servers.add({ address: server.urlOf('repeats'), token });
	const prompts = await servers.prompts();
	expect(prompts.found.map(({ id }) => id)).toEqual(['harvest']);
	// Nor is there what can't be seen: it goes where the user writes.
	expect(await servers.wordsOf(prompts.found[0]!, {})).toBe('Pears. [API key]');
	const resources = await servers.resources();
	expect(resources.found.map(({ id }) => id)).toEqual(['a://trees']);
	const text = await (await servers.fileOf(resources.found[0]!, {})).text();
	expect(text).toContain('Pears.');
	expect(text).not.toContain(token);
});

test('[R1] a prompt asks for nothing whose name can’t be seen whole and typed', async () => {
	const { servers } = connections();
	await servers.add({ address: server.urlOf('arguments') });
	const { found } = await servers.prompts();
	expect(found).toMatchObject([{ id: 'harvest', takes: [{ name: 'month', required: true }] }]);
});
