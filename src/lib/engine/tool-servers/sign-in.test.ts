import { afterEach, expect, test } from 'vitest';
import { startSignInServer } from '../../../../tests/fixtures/sign-in-server.mjs';
import { startToolServer } from '../../../../tests/fixtures/tool-server.mjs';
import { connections } from '../../../../tests/fixtures/tool-servers';
import type { ToolServer } from '../../storage/tables/tool-servers';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
	for (const server of running.splice(0)) await server.close();
});

/** A tool server, and the server where one signs in for it, which may say otherwise. */
async function start(options: Parameters<typeof startSignInServer>[0] = {}, of: Omit<NonNullable<Parameters<typeof startToolServer>[0]>, 'signIn'> = {}) {
	const gate = await startSignInServer(options);
	const orchard = await startToolServer({ ...of, signIn: gate });
	running.push(gate, orchard);
	return { gate, orchard, ...connections() };
}

const redirectUrl = 'http://localhost/oauth.html';
const context = { sessionId: 's', signal: new AbortController().signal };

/** Does what a user does in the window to sign in, and returns what comes back. */
async function click(page: string, name: 'Allow' | 'Deny'): Promise<URLSearchParams> {
	const [, href] = new RegExp(`href="([^"]*)">${name}<`).exec(await (await fetch(page)).text())!;
	return new URL(href!.replaceAll('&amp;', '&')).searchParams;
}

async function signIn({ servers }: Pick<Awaited<ReturnType<typeof start>>, 'servers'>, server: ToolServer, name: 'Allow' | 'Deny' = 'Allow') {
	const begun = await servers.beginSignIn(server, await servers.findSignIn(server), { redirectUrl });
	return begun.finish(await click(begun.page, name));
}

test('[R1] who signs in has the tools; the sign-in server is asked for nothing before it was seen', async () => {
	const { gate, orchard, servers, rows, secrets } = await start();
	const server = await servers.add({ address: orchard.url, name: 'Orchard' });
	expect(server).toMatchObject({ signIn: 'needed', tools: [] });
	const place = await servers.findSignIn(server);
	expect(place).toEqual({ url: orchard.url, issuer: gate.issuer, host: new URL(gate.issuer).host, resource: orchard.url, scope: 'fruit' });
	expect(gate.requests).toEqual([]);
	const { page, finish } = await servers.beginSignIn(server, place, { redirectUrl });
	expect(Object.fromEntries(new URL(page).searchParams)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', redirect_uri: redirectUrl, resource: orchard.url, scope: 'fruit' });
	const { tools, ...signedIn } = (await finish(await click(page, 'Allow')))!;
	expect([signedIn.signIn, tools.length]).toEqual(['done', 4]);
	const [pear] = await servers.tools([tools[0]!.callName]);
	expect(await pear!.run({ month: 'May' }, context)).toEqual({ output: 'In May: Williams', isError: false });
	expect(secrets.get(server.id)).toMatchObject({ apiKey: expect.stringMatching(/^access-/) as unknown, signIn: { refreshToken: expect.stringMatching(/^refresh-/) as unknown, clientId: expect.stringMatching(/^client-/) as unknown } });
	for (const secret of gate.secrets()) expect(JSON.stringify([...rows.values()])).not.toContain(secret);
});

test('[R1] a token that has expired is renewed, before a call or in the middle of a connection, and the call runs once', async () => {
	const { gate, orchard, servers, secrets, time, rows } = await start({ lifetime: 60 });
	const server = await servers.add({ address: orchard.url });
	const { tools } = (await signIn({ servers }, server))!;
	const [pear] = await servers.tools([tools[0]!.callName]);
	const first = secrets.get(server.id)!;
	gate.expire();
	expect(await pear!.run({ month: 'May' }, context)).toEqual({ output: 'In May: Williams', isError: false });
	const second = secrets.get(server.id)!;
	expect([second.apiKey === first.apiKey, second.signIn!.refreshToken === first.signIn!.refreshToken]).toEqual([false, false]);
	// Its time is up: it is not even tried.
	time.now += 10 * 60_000;
	const asked = orchard.requests.length;
	expect(await pear!.run({ month: 'June' }, context)).toEqual({ output: 'In June: Williams', isError: false });
	expect(orchard.requests.slice(asked).map(({ headers }) => headers.authorization)).not.toContain(`Bearer ${second.apiKey}`);
	expect(orchard.calls).toHaveLength(2);

	gate.expire(true);
	expect(await pear!.run({ month: 'July' }, context)).toMatchObject({ isError: true, output: expect.stringContaining('asks the user to sign in') as unknown });
	expect(rows.get(server.id)).toMatchObject({ signIn: 'needed', tools });
	expect(orchard.calls).toHaveLength(2);
	expect((await signIn({ servers }, server))!.signIn).toBe('done');
	expect(await pear!.run({ month: 'July' }, context)).toEqual({ output: 'In July: Williams', isError: false });
});

test('[R1] a page that stores nothing renews no token', async () => {
	const { gate, orchard, servers, time } = await start();
	const server = await servers.add({ address: orchard.url });
	await signIn({ servers }, server);
	time.renews = false;
	gate.expire();
	await expect(servers.refresh(server.id)).rejects.toMatchObject({ code: 'sign-in-temporary' });
	expect(gate.requests.filter(({ body }) => body.includes('grant_type=refresh_token'))).toEqual([]);
});

test('[R1] signing out forgets all that was got, also where it was got', async () => {
	const { gate, orchard, servers, secrets, rows } = await start();
	const server = await servers.add({ address: orchard.url });
	await signIn({ servers }, server);
	const { refreshToken } = secrets.get(server.id)!.signIn!;
	await servers.signOut(server);
	expect([secrets.has(server.id), rows.get(server.id)!.signIn]).toEqual([false, 'needed']);
	await expect.poll(() => gate.requests.at(-1)).toMatchObject({ url: '/revoke', body: expect.stringContaining(refreshToken!) as unknown });
	await expect(servers.refresh(server.id)).rejects.toMatchObject({ code: 'server-sign-in' });
});

test('[R1] removing a server forgets what was got by signing in, also where it was got', async () => {
	const { gate, orchard, servers, secrets, rows } = await start();
	const server = await servers.add({ address: orchard.url });
	await signIn({ servers }, server);
	const { refreshToken } = secrets.get(server.id)!.signIn!;
	await servers.remove(server.id);
	expect([secrets.has(server.id), rows.has(server.id)]).toEqual([false, false]);
	await expect.poll(() => gate.requests.at(-1)).toMatchObject({ url: '/revoke', body: expect.stringContaining(refreshToken!) as unknown });
});

test('[R1] a sign-in server that makes nobody known takes an id that the user enters', async () => {
	const { gate, orchard, servers } = await start({ closed: true });
	const server = await servers.add({ address: orchard.url });
	const place = await servers.findSignIn(server);
	await expect(servers.beginSignIn(server, place, { redirectUrl })).rejects.toMatchObject({ code: 'sign-in-client' });
	const { page, finish } = await servers.beginSignIn(server, place, { redirectUrl, clientId: gate.makeKnown(redirectUrl) });
	expect((await finish(await click(page, 'Allow')))!.signIn).toBe('done');
});

test('[R1] what comes back to another sign-in, from elsewhere, or with a no gives nothing', async () => {
	const { gate, orchard, servers, secrets } = await start();
	const server = await servers.add({ address: orchard.url });
	await expect(signIn({ servers }, server, 'Deny')).rejects.toMatchObject({ code: 'sign-in-denied' });
	gate.options.answer = { state: 'another' };
	await expect(signIn({ servers }, server)).rejects.toMatchObject({ code: 'sign-in-astray' });
	gate.options.answer = { iss: 'https://elsewhere.example' };
	await expect(signIn({ servers }, server)).rejects.toMatchObject({ code: 'sign-in-foreign' });
	gate.options.answer = { code: 'made-up' };
	await expect(signIn({ servers }, server)).rejects.toMatchObject({ code: 'sign-in-refused', message: expect.not.stringContaining('password') as unknown });
	gate.options.answer = {};
	gate.options.tokens = { access_token: 'a\nb', token_type: 'Bearer' };
	await expect(signIn({ servers }, server)).rejects.toMatchObject({ code: 'sign-in-nonsense' });
	expect(secrets.size).toBe(0);
});

test.each<[string, Record<string, unknown>]>([
	['sign-in-foreign', { issuer: 'https://elsewhere.example' }],
	['sign-in-elsewhere', { token_endpoint: 'https://elsewhere.example/token' }],
	['sign-in-elsewhere', { registration_endpoint: 'https://elsewhere.example/register' }],
	['sign-in-elsewhere', { authorization_endpoint: 'https://elsewhere.example/authorize' }],
	['sign-in-unsupported', { code_challenge_methods_supported: ['plain'] }],
	['sign-in-unsupported', { code_challenge_methods_supported: undefined }],
	['sign-in-nonsense', { token_endpoint: 5 }]
])('[R1] metadata of a sign-in server that are not to be trusted (%s, %o) end the sign-in, and nothing is sent there', async (code, metadata) => {
	const { gate, orchard, servers } = await start({ metadata });
	const server = await servers.add({ address: orchard.url });
	await expect(servers.beginSignIn(server, await servers.findSignIn(server), { redirectUrl })).rejects.toMatchObject({ code });
	expect(gate.requests.filter(({ url }) => !url.startsWith('/.well-known/'))).toEqual([]);
});

test('[R1] metadata that redirect are not followed', async () => {
	const { gate, orchard, servers } = await start();
	const elsewhere = await startSignInServer();
	running.push(elsewhere);
	gate.options.movedTo = `${elsewhere.issuer}/.well-known/oauth-authorization-server`;
	const server = await servers.add({ address: orchard.url });
	await expect(servers.beginSignIn(server, await servers.findSignIn(server), { redirectUrl })).rejects.toMatchObject({ code: 'sign-in-redirects' });
	expect(elsewhere.requests).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
	['sign-in-foreign', { resource: 'https://bank.example/mcp' }],
	['sign-in-insecure', { authorization_servers: ['http://elsewhere.example'] }],
	['sign-in-insecure', { authorization_servers: ['https://user:word@elsewhere.example'] }]
])('[R1] a tool server that has one sign in for another, or unencrypted (%s, %o), is not kept', async (code, resource) => {
	const { orchard, servers, rows } = await start({}, { resource });
	await expect(servers.add({ address: orchard.url })).rejects.toMatchObject({ code });
	expect(rows.size).toBe(0);
});

test('[R1] a tool server that has its way to sign in told elsewhere is not kept, and nothing is asked there', async () => {
	const elsewhere = await startSignInServer();
	running.push(elsewhere);
	const { orchard, servers, rows } = await start({}, { toldAt: `${elsewhere.issuer}/told` });
	await expect(servers.add({ address: orchard.url })).rejects.toMatchObject({ code: 'sign-in-elsewhere' });
	expect([rows.size, elsewhere.requests]).toEqual([0, []]);
});
