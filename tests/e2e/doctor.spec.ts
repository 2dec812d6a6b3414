// The doctor: what keeps a server from answering, and what to type, each found out of a real server that is so.
import { request as ask } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { selfSigned } from '../fixtures/self-signed.mjs';
import { startStrictServer } from '../fixtures/strict-server.mjs';
import { startToolServer } from '../fixtures/tool-server.mjs';
import { expect, test } from './app';
import { expectAccessible, putRows, say, storedId, useServer } from './chat';

// The service worker can tell whether a server is there.
test.use({ weights: 'none', serviceWorkers: 'allow' });

test.beforeEach(({ expectConsole }) => {
	expectConsole.push(/Failed to load resource/, /blocked by CORS policy|Cross-Origin Request Blocked/, /net::ERR_/);
});

const running: { close: () => unknown }[] = [];
test.afterEach(async () => {
	for (const server of running.splice(0)) await server.close();
});

async function start(options: Parameters<typeof startStrictServer>[0]) {
	const server = await startStrictServer(options);
	running.push(server);
	return server;
}

async function startTools(options: Parameters<typeof startToolServer>[0]) {
	const server = await startToolServer(options);
	running.push(server);
	return server;
}

/** A port where nothing listens. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as { port: number };
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function open(page: Page, path = './'): Promise<void> {
	await page.goto(path);
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Tries to connect to a model server, and has it found out why that fails. */
async function findOut(page: Page, baseUrl: string, key = ''): Promise<Locator> {
	await open(page);
	await page.getByRole('button', { name: 'a server' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model', exact: true });
	await dialog.getByRole('textbox', { name: 'Address' }).fill(baseUrl);
	await dialog.getByRole('textbox', { name: /API key/ }).fill(key);
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	await dialog.getByRole('button', { name: 'Find out why' }).click();
	return doctorOf(page);
}

/** The dialog of the doctor, once it knows. */
async function doctorOf(page: Page): Promise<Locator> {
	const doctor = page.getByRole('dialog', { name: /^Why .* does not answer$/ });
	await expect(checks(doctor).first()).toBeVisible();
	return doctor;
}

const cause = (doctor: Locator) => doctor.locator('.cause');
const checks = (doctor: Locator) => doctor.getByRole('list', { name: 'What was checked' }).getByRole('listitem');
const lines = (doctor: Locator) => doctor.getByRole('region', { name: 'What to do' }).locator('pre').filter({ visible: true });

test('[P11] where nothing listens the doctor says so, with how to start what usually does', async ({ page }) => {
	const port = await freePort();
	const doctor = await findOut(page, `http://127.0.0.1:${port}/v1`);
	await expect(cause(doctor)).toHaveText(`Can’t reach 127.0.0.1:${port}. Start it or check the address, then try again.`);
	await expect(checks(doctor)).toHaveText([/^Problem:\s+No server answers at/]);
	await doctor.getByText('For another kind of server').click();
	await expect(lines(doctor)).toHaveText(['ollama serve', 'lms server start --cors', 'llama-server -m model.gguf --port 8080', 'vllm serve MODEL --port 8000']);
});

test('[P11] where CORS is missing the doctor gives the header, and Try again goes on once it is there', async ({ page, context }) => {
	const server = await start({});
	const doctor = await findOut(page, `${server.origin}/v1`);
	await expect(cause(doctor)).toContainText('is running, but does not allow requests from this page');
	await expect(checks(doctor)).toHaveText([/OK:\s+A server is running/, /Problem:\s+It does not let a page of .* \(Access-Control-Allow-Origin\)/]);
	const { origin } = new URL(page.url());
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await doctor.getByRole('button', { name: 'Copy Access-Control-Allow-Origin' }).click();
	await expect(page.getByText('Copied.')).toBeVisible();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Access-Control-Allow-Origin: ${origin}\nAccess-Control-Allow-Headers: Content-Type`);
	for (const width of [1280, 390]) {
		await page.setViewportSize({ width, height: 800 });
		await expectAccessible(page, `the doctor at ${width}`);
		// What is to be typed has the width of the dialog.
		const [line, button] = [lines(doctor).first(), doctor.getByRole('button', { name: 'Copy Access-Control-Allow-Origin' })];
		const [code, copy, all] = [(await line.boundingBox())!, (await button.boundingBox())!, (await doctor.locator('.parts').boundingBox())!];
		expect(code.width).toBe(all.width);
		expect(copy.y + copy.height).toBeLessThanOrEqual(code.y);
	}
	await doctor.getByText('For another kind of server').click();
	await expect(lines(doctor).filter({ hasText: 'OLLAMA_ORIGINS' })).toHaveCount(4);
	await expectAccessible(page, 'the doctor, with all kinds of server');

	// It goes on being in the way, and then does not.
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(cause(doctor)).toContainText('does not allow requests from this page');
	Object.assign(server.options, { lets: true, headers: 'content-type' });
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(doctor).toBeHidden();
	await expect(page.getByRole('button', { name: 'pear', exact: true })).toBeVisible();
});

test('[P11] a header that is not allowed is named: that of the key, or that of what one writes', async ({ page }) => {
	const server = await start({ lets: true });
	const doctor = await findOut(page, `${server.origin}/v1`, 'key-of-the-orchard');
	await expect(cause(doctor)).toContainText('not with the header Content-Type, which all that you send has. It must also answer');
	server.options.headers = 'content-type';
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(cause(doctor)).toHaveText(`${server.host} lets this page in, but not with the header Authorization, which carries your key.`);
	await expect(checks(doctor)).toHaveText([/A server is running/, /It lets this page read/, /OK:\s+It allows the header Content-Type/, /Problem:\s+It does not allow the header Authorization/]);
	await expect(lines(doctor)).toHaveText([/Access-Control-Allow-Headers: Content-Type, Authorization/]);
	// The browser has asked before it sent the key, so that it never was.
	expect(server.requests.filter(({ headers }) => headers.authorization)).toEqual([]);
});

test('[P11] a key that is refused, and one that is missing', async ({ page }) => {
	const server = await start({ lets: true, headers: 'content-type, authorization', key: 'open-sesame' });
	const doctor = await findOut(page, `${server.origin}/v1`, 'open-barley');
	await expect(cause(doctor)).toHaveText(`${server.host} does not accept the API key.`);
	await expect(checks(doctor).last()).toHaveText(/Problem:\s+It does not accept the API key/);
	await doctor.getByRole('button', { name: 'Close' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model', exact: true });
	await dialog.getByRole('textbox', { name: /API key/ }).fill('');
	await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
	await dialog.getByRole('button', { name: 'Find out why' }).click();
	await expect(cause(await doctorOf(page))).toHaveText(`${server.host} asks for an API key.`);
});

test('[P11] a path with nothing behind it, where another one has the models', async ({ page }) => {
	const server = await start({ lets: true, headers: 'content-type' });
	const doctor = await findOut(page, `${server.origin}/api`);
	await expect(cause(doctor)).toHaveText(`${server.host} has its models at another path.`);
	await expect(lines(doctor)).toHaveText([`${server.origin}/v1`]);
});

test('[P11] a redirect is told, and not followed', async ({ page }) => {
	const target = await start({ lets: true, headers: 'content-type, authorization' });
	const server = await start({ lets: true, headers: 'content-type, authorization', movedTo: `${target.origin}/v1/models` });
	const doctor = await findOut(page, `${server.origin}/v1`, 'key-of-the-orchard');
	await expect(cause(doctor)).toContainText('redirects to another address');
	expect(target.requests.filter(({ method, headers }) => method !== 'HEAD' || headers.authorization)).toEqual([]);
});

test('[P11] a server that takes requests and is silent', async ({ page, server: models }) => {
	const server = await start({ silent: true });
	await open(page);
	await useServer(page, models.url, 'echo');
	await putRows(page, { providers: [{ id: storedId(1), name: 'Silent', baseUrl: `${server.origin}/v1`, createdAt: Date.now() }] });
	await page.reload();
	await page.getByRole('button', { name: /Change model/ }).first().click();
	await page.getByRole('button', { name: 'Add or remove models' }).click();
	const dialog = page.getByRole('dialog', { name: 'Model', exact: true });
	await dialog.getByRole('radio', { name: /A server/ }).check();
	await dialog.getByRole('listitem').filter({ hasText: 'Silent' }).getByRole('button', { name: 'Choose a model' }).click();
	await dialog.getByRole('button', { name: 'Find out why' }).click();
	const doctor = await doctorOf(page);
	await expect(cause(doctor)).toContainText(`${server.host} is silent`);
});

test('[P11] an answer that failed has the doctor beside Retry, which goes on where it is well', async ({ page }) => {
	const server = await start({ lets: true, headers: 'content-type' });
	await open(page);
	await useServer(page, `${server.origin}/v1`, 'pear');
	server.options.lets = false;
	await say(page, 'Are you there?');
	const end = page.getByRole('alert').filter({ hasText: 'does not allow requests from this page' });
	await end.getByRole('button', { name: 'Find out why' }).click();
	const doctor = await doctorOf(page);
	await expect(cause(doctor)).toContainText('does not allow requests from this page');
	await expectAccessible(page, 'the doctor of an answer');
	// None of its requests had a word of the conversation.
	expect(server.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	server.options.lets = true;
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(doctor).toBeHidden();
	// The question was sent once more, and is not what this server answers.
	await expect(page.getByRole('alert').filter({ hasText: 'has no such model or address' })).toBeVisible();
	expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

/** Tries to add a tool server, and has it found out why that fails. */
async function findOutOfTools(page: Page, address: string, token = ''): Promise<Locator> {
	await open(page, './settings');
	await page.getByRole('button', { name: 'Add a tool server' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
	await dialog.getByRole('textbox', { name: 'Address' }).fill(address);
	await dialog.getByLabel('Token, if it needs one').fill(token);
	await dialog.getByRole('button', { name: 'Connect' }).click();
	await dialog.getByRole('button', { name: 'Find out why' }).click();
	return doctorOf(page);
}

test('[P11] a tool server that lets no page in: the headers, and the lines of its libraries', async ({ page }) => {
	const server = await startTools({ closed: true });
	const doctor = await findOutOfTools(page, server.url);
	await expect(checks(doctor)).toHaveText([/A server is running/, /Problem:\s+It does not let a page of/]);
	await expect(lines(doctor)).toHaveText([/Access-Control-Expose-Headers: Mcp-Session-Id/, /^app\.use\(cors\(/, /CORSMiddleware/]);
	await expectAccessible(page, 'the doctor of a tool server');
	server.options.closed = false;
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(page.getByText(/has \d+ tools/)).toBeVisible();
	await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('[P11] a tool server that does not expose its session, or does not allow a header of its protocol', async ({ page }) => {
	// A browser remembers for some seconds what a server allows, so that allowing less comes first.
	const server = await startTools({ sessions: true, exposed: '', allowed: 'content-type' });
	const doctor = await findOutOfTools(page, server.url);
	await expect(cause(doctor)).toContainText('not with the header Mcp-Protocol-Version, which its protocol asks for');
	delete server.options.allowed;
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(cause(doctor)).toContainText('Access-Control-Expose-Headers lacks Mcp-Session-Id');
	Object.assign(server.options, { exposed: undefined, token: 'open-sesame' });
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(cause(doctor)).toContainText('asks for a token');
	delete server.options.token;
	await doctor.getByRole('button', { name: 'Try again' }).click();
	await expect(page.getByText(/has \d+ tools/)).toBeVisible();

	// In its row it is asked for its tools again.
	server.options.closed = true;
	await page.getByRole('button', { name: /for its tools again/ }).click();
	await page.getByRole('button', { name: 'Find out why' }).click();
	await expect(cause(await doctorOf(page))).toContainText('does not allow requests from this page');
});

test('[P11] a tool server at another path', async ({ page }) => {
	const server = await startTools({});
	const doctor = await findOutOfTools(page, server.url.replace('/mcp', '/tools'));
	await expect(lines(doctor)).toHaveText([server.url]);
});

/** The app under the name of a host that is not this computer, at https://. */
async function startElsewhere(app: string): Promise<number> {
	const { port: to } = new URL(app);
	const proxy = createHttpsServer(selfSigned(), (incoming, outgoing) => {
		const { method, url: path, headers } = incoming;
		ask({ host: '127.0.0.1', port: to, method, path, headers: { ...headers, host: `127.0.0.1:${to}` } }, (answer) => answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers))).end();
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => proxy.once('listening', resolve));
	running.push(proxy);
	return (proxy.address() as { port: number }).port;
}

test('[P11] a browser that has not been allowed to reach this computer yet is asked, and the server then is reached', async ({ app, playwright }) => {
	const server = await start({ lets: true, headers: 'content-type' });
	const port = await startElsewhere(app.url);
	const origin = `https://snug.test:${port}`;
	const { args, ...launch } = chromiumLaunch();
	const asIfElsewhere = ['--host-resolver-rules=MAP snug.test 127.0.0.1', '--ignore-certificate-errors', `--ip-address-space-overrides=127.0.0.1:${port}=public`];
	const browser = await playwright.chromium.launch({ ...launch, args: [...args, ...asIfElsewhere] });
	try {
		const context = await browser.newContext({ baseURL: origin });
		const page = await context.newPage();
		const doctor = await findOut(page, `${server.origin}/v1`);
		await expect(cause(doctor)).toHaveText('You have to allow this page to reach servers on this computer.');
		await expect(checks(doctor)).toHaveText([/Problem:\s+The browser has not let this page reach servers on this computer yet/]);
		expect(server.requests).toEqual([]);
		await context.grantPermissions(['local-network-access']);
		await doctor.getByRole('button', { name: 'Try again' }).click();
		await expect(doctor).toBeHidden();
		await expect(page.getByRole('button', { name: 'pear', exact: true })).toBeVisible();
	} finally {
		await browser.close();
	}
});
