import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './app';
import { answer, countRows, holdRows, say, storedSession, useServer } from './chat';

test.use({ weights: 'none', serviceWorkers: 'allow' });

test('[P10] the browser finds nothing that keeps Snug from being installed', async ({ page, context }) => {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await page.reload();
	const devtools = await context.newCDPSession(page);
	const { errors, data } = await devtools.send('Page.getAppManifest');
	expect(errors).toEqual([]);
	const manifest = JSON.parse(data!) as { icons: { purpose: string; src: string }[] };
	expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
	for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200);

	const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
	// A headless profile is off the record as far as installing goes; everything else must hold.
	expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('[P3] the first visit keeps the app for later while nothing is answered, and not while an answer streams', async ({ page, server, hold }) => {
	const letEnd = hold('slow-tokens@100');
	await page.goto('./');
	await useServer(page, server.url, 'slow-tokens@100');
	await say(page, 'Tell me all about it.');
	await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
	const kept = () => page.evaluate(async () => {
		const registration = await navigator.serviceWorker.getRegistration();
		const caching = (await caches.keys()).filter((name) => name.includes('precache'));
		const files = await Promise.all(caching.map(async (name) => (await (await caches.open(name)).keys()).length));
		return { isActive: !!registration?.active, files: files.reduce((sum, count) => sum + count, 0) };
	});
	// As many at the end of a second as at its start: it waits, or all of them are there.
	let last = -1;
	await expect
		.poll(async () => {
			const { files } = await kept();
			const isSame = files > 0 && files === last;
			last = files;
			return isSame;
		}, { intervals: [1000] })
		.toBe(true);
	expect(await kept()).toEqual({ isActive: false, files: last });
	letEnd();
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	expect((await kept()).files).toBeGreaterThan(last);
});

test('[P10] the settings say how to install, also on iOS, where no prompt exists', async ({ browser, app }) => {
	const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
	const context = await browser.newContext({ baseURL: app.url, userAgent: iphone });
	const page = await context.newPage();
	await page.goto('./settings');
	await expect(page.getByText('tap Share, then “Add to Home Screen”')).toBeVisible();
	await context.close();
});

test('[P10] where the browser offers to install, a button does it', async ({ page }) => {
	await page.goto('./settings');
	await expect(page.getByRole('heading', { name: 'Install' })).toBeVisible();
	// The browser decides when it makes its offer; here the test makes one.
	await page.evaluate(() => {
		const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
			prompt: () => Promise.resolve(void (document.title = 'asked')),
			userChoice: Promise.resolve({ outcome: 'accepted' })
		});
		dispatchEvent(offer);
	});
	await page.getByRole('button', { name: 'Install Snug' }).click();
	await expect(page).toHaveTitle('asked');
	await expect(page.getByRole('button', { name: 'Install Snug' })).toBeHidden();
});

test('[P10] the manifest takes what is shared and what files are opened with, and a launch comes to the window that is there', async ({ page }) => {
	const manifest = (await (await page.request.get('manifest.webmanifest')).json()) as Record<string, unknown>;
	expect(manifest).toMatchObject({
		launch_handler: { client_mode: ['focus-existing', 'auto'] },
		display_override: ['window-controls-overlay', 'standalone'],
		share_target: { action: './share', method: 'POST', enctype: 'multipart/form-data', params: { title: 'title', text: 'text', url: 'url' } },
		shortcuts: [{ name: 'New chat', url: './' }, { name: 'Continue last', url: './?continue' }]
	});
	const [{ accept }] = manifest.file_handlers as [{ accept: Record<string, string[]> }];
	expect(Object.values(accept).flat().sort()).toEqual(['.gguf', '.gz', '.json', '.jsonl', '.md']);
});

/** Has the page be the installed app. A test's browser installs nothing: the display mode, the launch and the badge are the test's. */
async function asInstalled(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const { matchMedia } = window;
		window.matchMedia = (query) => matchMedia.call(window, query.includes('display-mode: standalone') ? 'all' : query);
		const told: unknown[] = [];
		Object.assign(window, { told });
		Object.defineProperty(window, 'launchQueue', { value: { setConsumer: (consumer: unknown) => Object.assign(window, { launch: consumer }) } });
		Object.assign(navigator, { setAppBadge: (count: number) => Promise.resolve(void told.push(count)), clearAppBadge: () => Promise.resolve(void told.push('clear')) });
	});
}

/** Opens the installed app with files, or with an address, as the system does. */
async function launch(page: Page, files: [name: string, content: string | Buffer][], targetURL = ''): Promise<void> {
	await page.waitForFunction(() => 'launch' in window);
	const encoded = files.map(([name, content]) => [name, Buffer.from(content).toString('base64')] as const);
	await page.evaluate(
		({ encoded, targetURL }) => {
			const fileOf = (name: string, base64: string) => new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name);
			const handles = encoded.map(([name, base64]) => ({ getFile: () => Promise.resolve(fileOf(name, base64)) }));
			(window as unknown as { launch: (launch: unknown) => void }).launch({ files: handles, targetURL });
		},
		{ encoded, targetURL }
	);
}

test('[P10] the installed app opens files and addresses that the system gives it, and counts answers on its icon while it is hidden', async ({ page, server, app }) => {
	await asInstalled(page);
	await page.goto('./settings');
	await launch(page, [['plan.md', '# Plan'], ['data.json', '{}']]);
	await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveText([/plan\.md/, /data\.json/]);
	await launch(page, [['chats.jsonl.gz', backupOf(backedUp(1, 1))]]);
	await expect(page.getByRole('heading', { name: 'Backup' })).toBeVisible();
	await expect(page.getByText(/complete: 1 chat/)).toBeVisible();
	await launch(page, [], 'https://elsewhere.example/');
	await expect(page).toHaveURL(/storage$/);
	await launch(page, [], `${app.url}%`);
	await expect(page).toHaveURL(/storage$/);
	await launch(page, [], app.url);
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();

	await useServer(page, server.url, 'echo');
	await page.evaluate(() => {
		Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
	});
	await say(page, 'Are you there?');
	await answer(page);
	const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told);
	await expect.poll(told).toEqual(['clear', 1]);
	await page.evaluate(() => {
		Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
		document.dispatchEvent(new Event('visibilitychange'));
	});
	await expect.poll(told).toEqual(['clear', 1, 'clear']);
});

/** The file of a backup with these rows. */
function backupOf(rows: { table: string; row: unknown }[]): Buffer {
	const counts: Record<string, number> = {};
	for (const { table } of rows) counts[table] = (counts[table] ?? 0) + 1;
	const linesOf = (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
	const text = linesOf([{ format: 'snug-backup', version: 1, databaseVersion: 1, createdAt: 1, counts }, ...rows]);
	return gzipSync(text + linesOf([{ end: true, counts, sha256: createHash('sha256').update(text).digest('hex') }]));
}

/** The rows of some sessions, as a backup has them, from this number on. */
function backedUp(from: number, count: number): { table: string; row: unknown }[] {
	return Array.from({ length: count }, (_, index) => storedSession(from + index)).flatMap(({ sessions, messages, trees, positions }) => [
		{ table: 'sessions', row: sessions },
		{ table: 'trees', row: trees },
		...messages.map((row) => ({ table: 'messages', row })),
		{ table: 'positions', row: positions }
	]);
}

test('[P2] [P10] a backup that the system opens while another is restored waits, and that one can still be cancelled', async ({ page }) => {
	await asInstalled(page);
	await page.goto('./settings/storage');
	const backup = page.getByRole('region', { name: 'Backup' });
	await page.getByLabel('Backup file').setInputFiles({ name: 'a.jsonl.gz', mimeType: 'application/gzip', buffer: backupOf(backedUp(1, 40)) });
	await expect(backup.getByText(/complete: 40 chats/)).toBeVisible();
	const release = await holdRows(page, 'sessions');
	await backup.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(backup.getByText(/^Restoring/)).toBeVisible();

	const prompt = { table: 'settings', row: { name: 'systemPrompt', value: 'From b' } };
	await launch(page, [['b.jsonl.gz', backupOf([prompt, ...backedUp(101, 1)])]]);
	const refused = page.getByText('“b.jsonl.gz” was not opened: another file is being restored.');
	await expect(refused).toBeVisible();
	await expect(page).toHaveURL(/storage$/);
	await expect(backup.getByText(/^Restoring/)).toBeVisible();
	await page.getByRole('button', { name: 'Open it' }).click();
	await expect(refused).toBeVisible();
	await backup.getByRole('button', { name: 'Cancel' }).click();
	await release();

	await page.getByRole('button', { name: 'Open it' }).click();
	await expect(backup.getByText('b.jsonl.gz')).toBeVisible();
	await expect(backup.getByText(/complete: 1 chat/)).toBeVisible();
	await expect(backup.getByRole('button', { name: 'Restore', exact: true })).toBeVisible();
	const { sessions } = await countRows(page);
	expect(sessions).toBeLessThan(40);
	await backup.getByRole('button', { name: 'Restore', exact: true }).click();
	await expect(backup.getByText('Restored.')).toBeVisible();
	expect((await countRows(page)).sessions).toBe(sessions! + 1);

	// What the file has to offer is not taken away by another, unless that is asked for.
	await launch(page, [['c.jsonl.gz', backupOf(backedUp(201, 1))]]);
	await expect(page.getByText('“c.jsonl.gz” was not opened: the last file has servers or settings that you can add.')).toBeVisible();
	await expect(backup.getByRole('button', { name: 'Use: System prompt' })).toBeVisible();
	await page.getByRole('button', { name: 'Open it' }).click();
	await expect(backup.getByText('c.jsonl.gz')).toBeVisible();
});

test('[P2] [P10] of files that are opened together, those that are not used are named; data that is no backup is attached where it is text', async ({ page }) => {
	await asInstalled(page);
	await page.goto('./');
	const backup = (number: number): [string, Buffer] => [`${number}.jsonl.gz`, backupOf(backedUp(number, 1))];
	await launch(page, [['a.gguf', 'GGUF'], ['b.gguf', 'GGUF'], backup(1), backup(2), backup(3), ['rows.jsonl', '{"a": 1}\n'], ['data.jsonl.gz', gzipSync('{"a": 1}\n')]]);
	await expect(page.getByText('Import “a.gguf” (4 B) as a model on this device?')).toBeVisible();
	await expect(page.getByText('“b.gguf” was not opened: Snug imports one model at a time.')).toBeVisible();
	await expect(page.getByText('“2.jsonl.gz” and “3.jsonl.gz” were not opened: Snug restores one backup at a time.')).toBeVisible();
	await expect(page.getByText('“data.jsonl.gz” was not opened: it is neither a Snug backup nor text.')).toBeVisible();
	await expect(page.getByRole('region', { name: 'Backup' }).getByText('1.jsonl.gz')).toBeVisible();
	await page.getByRole('link', { name: 'New chat' }).click();
	const files = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
	await expect(files).toHaveText([/rows\.jsonl/]);

	await files.getByRole('button', { name: /Remove/ }).click();
	await launch(page, Array.from({ length: 15 }, (_, index) => [`${index + 1}.md`, `Text ${index + 1}`]));
	await expect(page.getByText('“11.md”, “12.md”, “13.md”, and 2 others were not opened: Snug opens up to 10 files at once.')).toBeVisible();
	await expect(files).toHaveCount(10);
});
