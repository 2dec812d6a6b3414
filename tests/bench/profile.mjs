import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumLaunch } from '../../scripts/browsers.mjs';

/**
 * Opens a browser on a new profile that lies on disk, as a person's does (what a private window stores stays in memory,
 * and is faster), and removes it afterwards.
 * @template T
 * @param {string} work
 * @param {(context: import('playwright').BrowserContext) => Promise<T>} use
 * @param {{ serviceWorkers?: 'allow' | 'block' }} [options]
 * @returns {Promise<T>}
 */
export async function withProfile(work, use, options = {}) {
	const folder = mkdtempSync(join(work, 'profile-'));
	const context = await chromium.launchPersistentContext(folder, { ...chromiumLaunch(), locale: 'en-GB', ...options });
	try {
		return await use(context);
	} finally {
		await context.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
