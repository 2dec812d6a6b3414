import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { inRoot } from '../../scripts/paths.mjs';
import { expect, test as base, type App } from './app';
import { answer, chooseServer, refuseRows, say } from './chat';

// Each test serves a copy of the build, which it can replace by a newer one.
const test = base.extend({
	weights: 'none',
	serviceWorkers: 'allow',
	folder: async ({ browserName: _ }, use) => {
		const folder = await mkdtemp(join(tmpdir(), 'snug-build-'));
		await cp(inRoot('build'), folder, { recursive: true });
		await use(folder);
		await rm(folder, { recursive: true });
	}
});

/** Makes the build in `folder` a newer one, which its pages tell by their language. */
async function release(folder: string): Promise<void> {
	const { version } = JSON.parse(await readFile(join(folder, '_app/version.json'), 'utf8')) as { version: string };
	await replace(join(folder, 'service-worker.js'), version, `${version}-next`);
	for (const page of ['shell/index.html', 'index.html', '404.html']) await replace(join(folder, page), 'lang="en"', 'lang="en-GB"');
}

async function replace(file: string, from: string, to: string): Promise<void> {
	const text = await readFile(file, 'utf8');
	expect(text).toContain(from);
	await writeFile(file, text.replaceAll(from, to));
}

/** Opens the app, waits until its service worker serves it, and puts a newer build in its place. */
async function openThenRelease(page: Page, app: App, server: { url: string }, folder: string): Promise<void> {
	await page.goto('./');
	await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
	await chooseServer(page, server.url, 'slow-tokens@100');
	await app.kill();
	await release(folder);
	await app.restart();
}

const isNew = (page: Page) => page.evaluate(() => document.documentElement.lang === 'en-GB');

test('a new build is offered quietly; accepting it switches over and keeps the composer text', async ({ page, app, folder, server }) => {
	await openThenRelease(page, app, server, folder);
	await page.reload();
	const offer = page.getByRole('button', { name: 'Update' });
	await expect(offer).toBeVisible({ timeout: 60_000 });
	expect(await isNew(page)).toBe(false);
	await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
	await offer.click();
	await expect.poll(() => isNew(page).catch(() => false), { timeout: 60_000 }).toBe(true);
	await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought');
	await expect(offer).toBeHidden();
});

test('a new build waits for the running answer, also one of another tab', async ({ page, app, folder, server, hold, context }) => {
	const letEnd = hold('slow-tokens@100');
	await openThenRelease(page, app, server, folder);
	const other = await context.newPage();
	await other.goto('./');
	const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
	// It is not kept for later while an answer streams, so it is there before.
	await page.reload();
	const update = page.getByRole('button', { name: 'Update' });
	await expect(update).toBeVisible({ timeout: 60_000 });
	await say(other, words);
	await expect(other.getByRole('article', { name: 'Assistant' })).toContainText('word3');

	await update.click();
	await expect(page.getByText('Snug updates when the answer is finished.')).toBeVisible();
	expect(await isNew(page)).toBe(false);
	expect(await isNew(other)).toBe(false);
	await expect(other.getByRole('button', { name: 'Stop' })).toBeVisible();

	letEnd();
	await expect.poll(() => isNew(page).catch(() => false), { timeout: 60_000 }).toBe(true);
	await expect.poll(() => isNew(other).catch(() => false), { timeout: 60_000 }).toBe(true);
	expect(await answer(other)).toContain('word59');
});

test('a new build does not reload a temporary chat', async ({ page, app, folder, server, context }) => {
	await openThenRelease(page, app, server, folder);
	const temporary = await context.newPage();
	await temporary.goto('./temporary');
	await say(temporary, 'Still here');
	await answer(temporary);
	await page.reload();
	await page.getByRole('button', { name: 'Update' }).click({ timeout: 60_000 });
	await expect.poll(() => isNew(page).catch(() => false), { timeout: 60_000 }).toBe(true);
	await expect(temporary.getByText('Copy the text that is not stored yet')).toBeVisible();
	await expect(temporary.getByRole('article', { name: 'You' })).toHaveText('Still here');
	expect(await isNew(temporary)).toBe(false);
});

test('[E11] a new build does not reload a tab whose text can’t be stored', async ({ page, app, folder, server }) => {
	await openThenRelease(page, app, server, folder);
	await say(page, 'hello');
	expect(await answer(page)).toContain('hello');
	await page.reload();
	await refuseRows(page, ['drafts']);
	const composer = page.getByRole('textbox', { name: 'Message' });
	await composer.fill('half a thought');
	await page.getByRole('button', { name: 'Update' }).click({ timeout: 60_000 });
	await expect(page.getByText('Copy the text that is not stored yet')).toBeVisible();
	expect(await isNew(page)).toBe(false);
	await expect(composer).toHaveValue('half a thought');
	await page.getByRole('button', { name: 'Reload' }).click();
	await expect.poll(() => isNew(page).catch(() => false), { timeout: 60_000 }).toBe(true);
});
