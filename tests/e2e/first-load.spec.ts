import { gzipSync } from 'node:zlib';
import { expect, test } from './app';

/** What opening a new chat may cost; to be lowered with what it does cost, never raised for what can come later. */
const most = { files: 94, kilobytes: 143 };

// What the service worker precaches would be counted too.
test.use({ weights: 'none', serviceWorkers: 'block' });

test('[P3] a first visit loads no more than it needs', async ({ page, app }) => {
	const loaded: Promise<{ path: string; bytes: number }>[] = [];
	page.on('response', (response) => {
		const { pathname } = new URL(response.url());
		if (response.url().startsWith(app.url)) loaded.push(response.body().then((body) => ({ path: pathname, bytes: gzipSync(body).length })));
	});
	await page.goto('./');
	await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
	await page.waitForLoadState('networkidle');

	const files = await Promise.all(loaded);
	const largest = files.sort((a, b) => b.bytes - a.bytes).map(({ path, bytes }) => `${bytes} ${path}`);
	expect(files.length, largest.join('\n')).toBeLessThanOrEqual(most.files);
	expect(Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000), largest.join('\n')).toBeLessThanOrEqual(most.kilobytes);
});
