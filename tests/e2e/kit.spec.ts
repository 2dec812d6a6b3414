import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './app';

test.use({ weights: 'none', serviceWorkers: 'block' });

test('the page of the kit is in the dev server only', async ({ page, folder, expectConsole }) => {
	const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((path) => /\.(js|css|html|json)$/.test(path))
		.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
	// Text of a page of the app is found this way.
	expect(texts.filter(({ text }) => text.includes('Page not found'))).not.toEqual([]);
	expect(texts.filter(({ text }) => text.includes('What every screen is made of') || /["'`]\/kit["'`]/.test(text)).map(({ path }) => path)).toEqual([]);

	expectConsole.push(/404/);
	await page.goto('./kit');
	await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
