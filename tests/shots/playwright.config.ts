import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import type { AppOptions } from '../e2e/app';

// Pictures of all screens, which people look at: `npm run shots`.
export default defineConfig<AppOptions>({
	testDir: '.',
	outputDir: inRoot('test-results/shots-failed'),
	workers: 2,
	fullyParallel: true,
	timeout: 240_000,
	expect: { timeout: 30_000 },
	reporter: 'list',
	use: { browserName: 'chromium', launchOptions: chromiumLaunch(), serviceWorkers: 'block', locale: 'en-GB', timezoneId: 'Europe/Berlin', weights: 'none' }
});
