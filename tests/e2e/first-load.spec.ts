import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { storedConversation, withSessions } from './chat';

/**
 * The most that opening a new chat may load, gzipped: until the app's own composer is there, and until the page is idle; and the most scripts that
 * opening a chat may ask for, and that what is seen first of Settings may need. To be lowered with what they do load, never raised for what can come later.
 */
const most = { untilComposer: { files: 9, scriptKilobytes: 99 }, kilobytes: 110, scriptsOfChat: 26, scriptsOfSettings: 15 };

// What the service worker precaches would be counted too.
test.use({ weights: 'none', serviceWorkers: 'block' });

/** The files of the build that the page asks for, from now on. */
function filesAskedBy(page: Page): Set<string> {
	const paths = new Set<string>();
	page.on('request', (request) => {
		if (!['document', 'script', 'stylesheet'].includes(request.resourceType())) return;
		paths.add(new URL(request.url()).pathname.replace(/\/$/, '/index.html'));
	});
	return paths;
}

test('[P3] a first visit loads no more than it needs', async ({ page, folder }) => {
	// The composer of the app, which takes the place of the one that comes with the page. The focus may come later, where the machine is busy.
	await page.addInitScript(() => {
		new MutationObserver((_, observer) => {
			if (document.getElementById('waking') || !document.querySelector('textarea')) return;
			performance.mark('composer');
			observer.disconnect();
		}).observe(document, { childList: true, subtree: true });
	});
	const files = filesAskedBy(page);
	const later = new Set<string>();
	// What can come later is asked for earlier now and then, where the machine is busy.
	for (let visit = 0; visit < 3; visit++) {
		await page.goto('./');
		await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
		await page.waitForLoadState('networkidle');
		const requests = await page.evaluate(() => {
			const { startTime } = performance.getEntriesByName('composer')[0]!;
			return performance.getEntriesByType('resource').filter((request) => request.startTime > startTime).map(({ name }) => name);
		});
		for (const url of requests) later.add(new URL(url).pathname);
	}

	const sizes = [...files].map((path) => ({ path, bytes: gzipSync(readFileSync(join(folder, path))).length })).sort((a, b) => b.bytes - a.bytes);
	const list = sizes.map(({ path, bytes }) => `${bytes} ${path}${later.has(path) ? ' (later)' : ''}`).join('\n');
	const kilobytes = (counted: typeof sizes) => Math.ceil(counted.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
	const first = sizes.filter(({ path }) => !later.has(path));
	expect(first.length, list).toBeLessThanOrEqual(most.untilComposer.files);
	expect(kilobytes(first.filter(({ path }) => path.endsWith('.js'))), list).toBeLessThanOrEqual(most.untilComposer.scriptKilobytes);
	expect(kilobytes(sizes), list).toBeLessThanOrEqual(most.kilobytes);
});

test('[P3] [P1] a chat is opened with few requests: each waits for those before it', async ({ page }) => {
	const stored = storedConversation(1, ['Apples?', 'Some **bold** words']);
	await page.goto('./');
	await withSessions(page, [stored]);
	const files = filesAskedBy(page);
	await page.goto(`./s/${stored.sessions.id}`);
	await expect(page.getByText('bold', { exact: true })).toBeVisible();
	await page.waitForLoadState('networkidle');
	const scripts = [...files].filter((path) => path.endsWith('.js'));
	expect(scripts.length, scripts.join('\n')).toBeLessThanOrEqual(most.scriptsOfChat);
});

test('[P3] [P1] what is seen first of Settings needs a few scripts, which its page names: none waits for another', async ({ page, folder }) => {
	const named = [...readFileSync(join(folder, 'settings.html'), 'utf8').matchAll(/<link href="([^"]+)" rel="modulepreload">/g)].map(([, path]) => path!);
	expect(named.length, named.join('\n')).toBeLessThanOrEqual(most.scriptsOfSettings);
	let others!: () => void;
	const firstIsSeen = new Promise<void>((resolve) => (others = resolve));
	await page.route('**/*.js', async (route) => {
		if (!named.includes(new URL(route.request().url()).pathname)) await firstIsSeen;
		await route.continue();
	});
	await page.goto('./settings');
	for (const section of ['Appearance', 'Install']) await expect(page.getByRole('heading', { name: section })).toBeVisible();
	await expect(page.getByText('Temperature', { exact: true })).toHaveCount(0);
	others();
	for (const section of ['Temperature', 'New persona…', 'Strategy']) await expect(page.getByText(section, { exact: true })).toHaveCount(1);
});

test('[R6] the repair page loads nothing of the app, which might not run', async ({ page, folder }) => {
	const files = filesAskedBy(page);
	await page.goto('./repair');
	await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	await page.waitForLoadState('networkidle');
	const scripts = [...files].filter((path) => path.endsWith('.js'));
	const hasComposer = (path: string) => readFileSync(join(folder, path), 'utf8').includes('Write a message');
	expect(scripts.filter(hasComposer)).toEqual([]);
	// Nor does what it does later, which its files name.
	const reached = new Set(scripts.filter((path) => path.includes('/nodes/')));
	for (const path of reached) {
		for (const [, name] of readFileSync(join(folder, path), 'utf8').matchAll(/["'`](?:\.|\.\.)\/((?:chunks\/)?[\w-]+\.js)["'`]/g)) {
			reached.add(`/_app/immutable/chunks/${name!.replace('chunks/', '')}`);
		}
	}
	expect(reached.size).toBeGreaterThan(5);
	expect([...reached].filter(hasComposer)).toEqual([]);
});
