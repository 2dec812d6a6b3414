import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './app';

/** What opening a new chat may cost, gzipped; to be lowered with what it does cost, never raised for what can come later. */
const most = { files: 16, kilobytes: 120 };

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
	const files = filesAskedBy(page);
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await page.waitForLoadState('networkidle');

	const sizes = [...files].map((path) => ({ path, bytes: gzipSync(readFileSync(join(folder, path))).length })).sort((a, b) => b.bytes - a.bytes);
	const list = sizes.map(({ path, bytes }) => `${bytes} ${path}`).join('\n');
	expect(sizes.length, list).toBeLessThanOrEqual(most.files);
	expect(Math.ceil(sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000), list).toBeLessThanOrEqual(most.kilobytes);
});

test('[R6] the repair page loads nothing of the app, which might not run', async ({ page, folder }) => {
	const files = filesAskedBy(page);
	await page.goto('./repair');
	await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	await page.waitForLoadState('networkidle');
	const withComposer = [...files].filter((path) => path.endsWith('.js') && readFileSync(join(folder, path), 'utf8').includes('Write a message'));
	expect(withComposer).toEqual([]);
});
