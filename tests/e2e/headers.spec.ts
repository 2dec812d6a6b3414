// The headers that belong to the app, from the host and from the service worker, and what holds where a host sends none [P8].
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { headersFor } from '../../src/headers.js';
import { inRoot } from '../../scripts/paths.mjs';
import { expect, test } from './app';

test.use({ weights: 'none', serviceWorkers: 'allow' });

async function listening(answer: RequestListener): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	};
}

const framing = (address: string) =>
	listening((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Prize</title><iframe src="${address}" width="900" height="600"></iframe>`);
	});

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };

/** A host that sends the build and no header of its own. */
const plainHost = () =>
	listening((request, response) => {
		const path = join(inRoot('build'), new URL(request.url!, 'http://host').pathname);
		const file = existsSync(path) && statSync(path).isFile() ? path : inRoot('build/404.html');
		response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
		createReadStream(file).pipe(response);
	});

test('[P8] the host and the service worker send the same headers', async ({ page, context }) => {
	const expected = Object.entries(headersFor('/')).map(([name, value]) => [name.toLowerCase(), value]);
	const sent = async () => {
		const response = await page.goto('./settings');
		const headers = response!.headers();
		return [response!.fromServiceWorker(), expected.map(([name]) => [name, headers[name!]])];
	};
	expect(await sent()).toEqual([false, expected]);
	await page.evaluate(() => navigator.serviceWorker.ready);
	await expect.poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true);
	expect(await sent()).toEqual([true, expected]);
	expect(context.serviceWorkers()).toHaveLength(1);
});

test('[P8] a page of another origin that frames the app gets nothing that can be clicked', async ({ page, app, expectConsole }) => {
	expectConsole.push(/frame-ancestors|X-Frame-Options|Refused to (display|frame)/);
	await using other = await framing(app.url);
	await page.goto(other.url);
	const frame = page.frameLocator('iframe');
	await expect.poll(() => page.frames().at(-1)!.url()).toBe('chrome-error://chromewebdata/');
	await expect(frame.locator('button, a, input, textarea')).toHaveCount(0);
});

test('[P8] where the host sends no headers, a framed app refuses to work', async ({ page }) => {
	await using host = await plainHost();
	await using other = await framing(host.url);
	await page.goto(other.url);
	const frame = page.frameLocator('iframe');
	await expect(frame.getByText('Snug does not work inside of another page.')).toBeVisible();
	await expect(frame.locator('button, a, input, textarea')).toHaveCount(0);
});
