import { join } from 'node:path';
import { test } from '../e2e/app';
import { screens } from './screens';
import { fileOf, folder, schemes, sizes } from './sheets.mjs';

for (const viewport of sizes)
	for (const colorScheme of schemes)
		test.describe(`${viewport.width} pixels, ${colorScheme}`, () => {
			test.use({ viewport, colorScheme, hasTouch: viewport.width < 1000, contextOptions: { reducedMotion: 'reduce' } });
			for (const [index, [name, open]] of Object.entries(screens).entries())
				test(name, async ({ page, server, expectConsole }) => {
					expectConsole.push(/Failed to load resource/, /blocked by CORS policy/);
					await page.goto('./');
					await open(page, server.url);
					// What is loaded late is there, but for an answer that is still coming.
					if (name !== 'streaming') await page.waitForLoadState('networkidle');
					const path = join(folder, fileOf(index, name, viewport.width, colorScheme));
					await page.screenshot({ path, caret: 'hide', animations: 'disabled' });
				});
		});
