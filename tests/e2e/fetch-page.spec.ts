// A tool that asks another host: what the user sees before, what that host is told, and what comes back.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { startOpenAiServer } from '../fixtures/openai-server.mjs';
import { expect, test } from './app';
import { expectAccessible, pressOnceStill, said, say, useServer } from './chat';
import { switchTools } from './tools';

test.use({ weights: 'none' });

let model: Awaited<ReturnType<typeof startOpenAiServer>>;
let pages: Server;
let site: string;
let asked: IncomingMessage[] = [];

const paragraph = 'A pear is picked before it is ripe, and ripens in a cool room within two weeks, or within a few days beside apples. '.repeat(3);
const article =
	`<!doctype html><html><head><title>Pears</title><script>fetch('/from-script')</script></head><body><nav>Shop</nav><article><h1>Pears</h1><p>${paragraph}</p>` +
	`<p>${paragraph} <img src="/from-image" onerror="fetch('/from-error')"></p></article></body></html>`;

test.beforeAll(async () => {
	model = await startOpenAiServer();
	pages = createServer((request, response) => {
		asked.push(request);
		const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
		if (request.url === '/closed') response.writeHead(200, { 'content-type': 'text/html' }).end(article);
		else if (request.url === '/moved') response.writeHead(302, { ...headers, location: '/pears' }).end();
		else if (request.url?.startsWith('/leads?to=')) response.writeHead(302, { ...headers, location: decodeURIComponent(request.url.slice(10)) }).end();
		else if (request.url === '/gone') response.writeHead(404, headers).end();
		else if (request.url === '/picture') response.writeHead(200, { ...headers, 'content-type': 'image/png' }).end('x');
		else if (request.url === '/plain') response.writeHead(200, { ...headers, 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('P\u00e4ar', 'latin1'));
		else if (request.url === '/long') response.writeHead(200, { ...headers, 'content-type': 'text/plain' }).end('0123456789'.repeat(5000));
		else if (request.url === '/huge') response.writeHead(200, { ...headers, 'content-type': 'text/plain' }).end('x'.repeat(9 * 2 ** 20));
		else response.writeHead(200, headers).end(article);
	});
	await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
	site = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
});
test.beforeEach(() => {
	asked = [];
});
test.afterAll(async () => {
	await model.close();
	pages.closeAllConnections();
	pages.close();
});

const cards = (page: Page) => page.getByRole('group', { name: 'Approval' });
const call = (path: string, more: object = {}) => `call fetch_page ${JSON.stringify({ url: `${site}${path}`, ...more })}`;

async function begin(page: Page): Promise<void> {
	await page.goto('./');
	await useServer(page, model.url, 'agent');
	await switchTools(page, 'Fetch a page');
}

test('[R1] [Z8] a page is fetched once the user has seen its address, and gives its text alone', async ({ page }) => {
	await begin(page);
	await say(page, `${call('/pears?q=1')}\nIt says: {last}`);
	await expect(cards(page)).toContainText(`Fetch ${site}/pears?q=1`);
	await expectAccessible(page, 'a page to be fetched');
	expect(asked).toEqual([]);
	await pressOnceStill(cards(page).getByRole('button', { name: 'Allow once' }));
	await expect(said(page).assistant.last()).toContainText('It says: {"text":"[Pears]');
	await expect(said(page).assistant.last()).toContainText('A pear is picked before it is ripe');
	await expect(said(page).assistant.last()).not.toContainText('Shop');
	// Nothing in the page asked for anything, and the host learnt no more than the address.
	expect(asked.map(({ url }) => url)).toEqual(['/pears?q=1']);
	const { cookie, referer, authorization } = asked[0]!.headers;
	expect({ cookie, referer, authorization }).toEqual({});
});

test('[Z8] a host that is allowed for good is asked without a question, another is not; the permission is taken back in the list', async ({ page }) => {
	await begin(page);
	await say(page, `${call('/a')}\n${call('/b')}\nRead both.`);
	await pressOnceStill(cards(page).getByRole('button', { name: `Always allow ${site}` }));
	await expect(said(page).assistant.last()).toContainText('Read both.');
	expect(asked.map(({ url }) => url)).toEqual(['/a', '/b']);
	await say(page, `call fetch_page ${JSON.stringify({ url: `${model.url}/v1/models` })}\nAsked.`);
	await expect(cards(page)).toContainText(`Fetch ${model.url}/v1/models`);
	await pressOnceStill(cards(page).getByRole('button', { name: 'Deny…' }));
	await pressOnceStill(cards(page).getByRole('button', { name: 'Deny', exact: true }));
	await expect(said(page).assistant.last()).toContainText('Asked.');

	await page.goto('./settings');
	await page.getByRole('button', { name: `Ask again before “Fetch a page” of ${site}` }).click();
	await expect(page.getByRole('button', { name: /Ask again/ })).toHaveCount(0);
});

test('[P8] [R1] a host that is allowed for good passes no words on to another', async ({ page }) => {
	await begin(page);
	await say(page, `${call('/a')}\nRead.`);
	await pressOnceStill(cards(page).getByRole('button', { name: /^Always allow/ }));
	await expect(said(page).assistant.last()).toContainText('Read.');
	await say(page, `${call(`/leads?to=${encodeURIComponent(`${model.url}/words`)}`)}\nIt says: {last}`);
	await expect(said(page).assistant.last()).toContainText('leads to another address from there, which is not followed');
	expect(model.requests.map(({ path }) => path)).not.toContain('/v1/words');
});

for (const [path, what, sentence] of [
	['/closed', 'lets no other site read it', 'lets no other site read its pages (CORS)'],
	['/moved', 'leads to another address', 'leads to another address'],
	['/gone', 'is not there', 'answered with the error 404'],
	['/picture', 'is no text', 'a file of the type image/png'],
	['/huge', 'is too large', 'larger than 8 MB']
] as const)
	test(`[R1] a page that ${what} is an error that the model can read`, async ({ page, expectConsole }) => {
		// The browser logs what it does not load, and what it does not let through.
		expectConsole.push(/Failed to load resource/, /blocked by CORS policy/);
		await begin(page);
		await say(page, `${call(path)}\nIt says: {last}`);
		await pressOnceStill(cards(page).getByRole('button', { name: 'Allow once' }));
		await expect(said(page).assistant.last()).toContainText(sentence);
	});

test('[R1] plain text comes as it is, in its own encoding, and a long one in parts', async ({ page }) => {
	await begin(page);
	await say(page, `${call('/plain')}\nIt says: {last}`);
	await cards(page).getByRole('button', { name: /^Allow .* in this chat$/ }).click();
	await expect(said(page).assistant.last()).toContainText('It says: {"text":"Päar"}');
	await say(page, `${call('/long')}\n${call('/long', { start: 40_000 })}\nIt ends: {last}`);
	await expect(said(page).assistant.last()).toContainText(`It ends: {"text":"${'0123456789'.repeat(1000)}"}`);
});
