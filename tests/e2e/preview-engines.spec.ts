// Previews in each engine: what takes the keyboard, and what tells the network something without asking it for anything. Here their frame has no process of its own, unlike in previews.spec.ts.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { chromiumLaunch, firefoxLaunch } from '../../scripts/browsers.mjs';
import { expect, test } from './app';
import { said, storedConversation, withSessions } from './chat';
import { listen, scriptsAreOff } from './preview-words';

/** The names that Firefox looks up, in files that begin so. */
const log = join(tmpdir(), `snug-names-${process.pid}`);

test.use({
	weights: 'none',
	launchOptions: async ({ browserName }, use) => use(browserName === 'firefox' ? { ...firefoxLaunch(), env: { ...process.env, MOZ_LOG: 'nsHostResolver:5', MOZ_LOG_FILE: log } as Record<string, string> } : chromiumLaunch())
});

test.afterAll(() => logs().forEach((file) => rmSync(file, { force: true })));

function logs(): string[] {
	return readdirSync(tmpdir()).map((name) => join(tmpdir(), name)).filter((path) => path.startsWith(log));
}

/** The hosts below `leak.example` that were looked up. */
function lookedUp(): string[] {
	const names = logs().flatMap((file) => readFileSync(file, 'latin1').match(/[a-z-]+(?=\.leak\.example)/g) ?? []);
	return [...new Set(names)].sort();
}

async function showCode(page: Page, language: string, code: string, number = 1): Promise<void> {
	const stored = storedConversation(number, ['Please draw.', `\`\`\`${language}\n${code}\n\`\`\``]);
	await page.goto('./');
	await withSessions(page, [stored]);
	await page.goto(`./s/${stored.sessions.id}`);
	const button = said(page).assistant.getByRole('button', { name: 'Preview' });
	// A press while the code gets its colours may be on neither the old button nor the new one.
	await expect(async () => {
		if ((await button.getAttribute('aria-pressed')) === 'false') await button.click();
		await expect(page.locator('iframe[title^="Preview of"]')).toBeVisible({ timeout: 2000 });
	}).toPass();
}

/** Ways to have names of hosts looked up, without scripts: what each says is looked up where nothing forbids it. */
const hints = (name: string) => `<link rel="dns-prefetch" href="http://${name}-hint.leak.example"><link rel="preconnect" href="https://${name}-connection.leak.example"><a href="http://${name}-link.leak.example/">x</a>`;
const within = (name: string) => `<iframe srcdoc='${hints(name)}'></iframe>`;

test('[P8] a preview without scripts has no name of a host looked up', async ({ page, browserName, expectConsole }) => {
	test.skip(browserName !== 'firefox', 'Chromium without a window looks up no names beforehand: nothing would be seen.');
	expectConsole.push(/.*/);
	// Where nothing forbids it, they are looked up.
	await page.route('http://pages.example/control', (route) => route.fulfill({ contentType: 'text/html', body: `<title>Control</title>${hints('control')}${within('nested')}` }));
	await page.goto('http://pages.example/control');
	await expect.poll(lookedUp).toEqual(['control-connection', 'control-hint', 'control-link', 'nested-connection', 'nested-hint', 'nested-link']);
	const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>';
	const codes: [language: string, code: string][] = [
		['svg', `${picture}${hints('svg')}${within('svg')}`],
		['svg', `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/><foreignObject>${hints('foreign')}</foreignObject></svg>`],
		['html', `<p>Hello</p>${hints('html')}<meta http-equiv="x-dns-prefetch-control" content="on">${hints('html')}`],
		['html', `<p>Hello</p>${within('html')}<object data="data:text/html,${hints('object')}"></object>`],
		['html', `<p>Hello</p><div><template shadowrootmode="open">${within('shadow')}</template></div>`],
		// Read anew it is another document.
		['html', `<p>Hello</p><form><math><mtext></form><form><mglyph><style></math>${within('anew')}</style></mglyph></form>`],
		['html', `<p>Hello</p><noscript>${within('noscript')}</noscript><xmp></xmp><noembed></noembed>${within('last')}`],
		['mermaid', `graph TD\n  A["<a href='http://mermaid-link.leak.example/'>x</a>"] --> B\n  click B "http://mermaid-click.leak.example/"`]
	];
	for (const [at, [language, code]] of codes.entries()) {
		await showCode(page, language, code, at + 1);
		const drawn = page.frameLocator('iframe[title^="Preview of"]').frameLocator('iframe');
		await expect(drawn.locator('rect, p, svg').first()).toBeAttached();
	}
	// Names that are asked for now are looked up after those.
	await page.goto('about:blank');
	await page.route('http://pages.example/last', (route) => route.fulfill({ contentType: 'text/html', body: hints('last-control') }));
	await page.goto('http://pages.example/last');
	await expect.poll(lookedUp).toContain('last-control-link');
	expect(lookedUp().filter((name) => !name.includes('control') && !name.startsWith('nested'))).toEqual([]);
});

test('[P8] the scripts of a preview that was used give the keyboard to what is pressed elsewhere', async ({ page, expectConsole }) => {
	expectConsole.push(scriptsAreOff);
	const take = '<input id="field"><script>oninput = () => top.postMessage(field.value, "*"); onblur = () => field.focus(); top.postMessage("begins", "*")</script>';
	await showCode(page, 'html', take);
	const heard = await listen(page);
	await page.getByRole('button', { name: 'Run scripts' }).click();
	await expect.poll(heard).toEqual(['null: begins']);
	await page.frameLocator('iframe[title^="Preview of"]').frameLocator('iframe').locator('#field').pressSequentially('mine');
	await expect.poll(async () => (await heard()).at(-1)).toBe('null: mine');
	const composer = page.getByRole('textbox', { name: 'Message' });
	await composer.click();
	await page.keyboard.type('My secret words', { delay: 30 });
	await expect(composer).toHaveValue('My secret words');
	expect((await heard()).at(-1)).toBe('null: mine');
});

test('[P8] the scripts of a preview lead the window of the app nowhere', async ({ page, expectConsole }) => {
	expectConsole.push(/.*/);
	await showCode(page, 'html', `<script>for (const go of [() => history.back(), () => history.go(-1), () => history.forward()]) try { go() } catch {} top.postMessage('tried', '*')</script>`);
	const address = page.url();
	const heard = await listen(page);
	await page.getByRole('button', { name: 'Run scripts' }).click();
	await expect.poll(heard).toEqual(['null: tried']);
	await page.evaluate(() => fetch('/robots.txt').then((response) => response.text()));
	expect(page.url()).toBe(address);
	await expect(page.getByRole('button', { name: 'Run scripts' })).toHaveAttribute('aria-pressed', 'true');
});

test('[P8] the scripts of a preview that take the focus, and keep the page busy from then on, get no key that is pressed meanwhile', async ({ page, expectConsole }) => {
	expectConsole.push(scriptsAreOff);
	const code =
		'<input id="field"><script>oninput = () => top.postMessage(field.value, "*"); onmessage = () => setTimeout(() => { field.focus(); for (const end = Date.now() + 2000; Date.now() < end; ); }, 100); top.postMessage("begins", "*")</script>';
	await showCode(page, 'html', code);
	const heard = await listen(page);
	await page.getByRole('button', { name: 'Run scripts' }).click();
	await expect.poll(heard).toEqual(['null: begins']);
	const composer = page.getByRole('textbox', { name: 'Message' });
	await composer.click();
	await page.evaluate(() => frames[0]!.frames[0]!.postMessage('take', '*'));
	// Keys come as they are typed, and wait for no page that is busy.
	await Promise.all([...'My secret words'].map((key, index) => sleep(index * 100).then(() => page.keyboard.press(key))));
	await expect(page.getByText('its scripts were stopped')).toBeVisible();
	await expect(composer).toHaveValue('My secret words');
	expect(await heard()).toEqual(['null: begins']);
});
