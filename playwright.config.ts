import { defineConfig } from '@playwright/test';
import { chromiumLaunch, firefoxLaunch } from './scripts/browsers.mjs';
import type { AppOptions } from './tests/e2e/app';

// No webServer: the tests of a worker share servers of the app; one that a test has killed is not used again (tests/e2e/app.ts).
export default defineConfig<AppOptions>({
	testDir: 'tests/e2e',
	outputDir: 'test-results',
	// Beside them run the steps of the sources (scripts/test.mjs): more would make tests that watch times late.
	workers: 2,
	fullyParallel: true,
	// On a shared machine a browser now and then takes its time; a test that passes only at its second try is listed as flaky.
	retries: process.env.CI ? 1 : 0,
	// Far beyond what anything takes here, for machines that are slower or busy.
	timeout: 120_000,
	expect: { timeout: 30_000 },
	forbidOnly: Boolean(process.env.CI),
	reporter: 'list',
	// Its precache costs each new profile a third of its time; the specs that need a service worker allow it.
	use: { serviceWorkers: 'block', actionTimeout: 60_000, locale: 'en-GB', timezoneId: 'Europe/Berlin' },
	projects: [
		// First, since it has the longest tests: none of them is left for the end, when the other workers have nothing to do.
		{
			name: 'firefox',
			// What differs between engines most: service workers, storage, folders, updates, speech, scroll bars, what scripts of previews can do and what is shared.
			testMatch: ['**/offline.spec.ts', '**/update.spec.ts', '**/temporary.spec.ts', '**/voice-support.spec.ts', '**/folder.spec.ts', '**/scroll-bars.spec.ts', '**/preview-engines.spec.ts', '**/share.spec.ts'],
			use: { browserName: 'firefox', launchOptions: firefoxLaunch() }
		},
		{
			name: 'chromium',
			testIgnore: process.env.SNUG_SOAK ? [] : ['**/model-compaction.spec.ts'],
			use: { browserName: 'chromium', launchOptions: chromiumLaunch() }
		}
	]
});
