import type { Page } from '@playwright/test';

/** Keeps the words that a preview says to the app's own window, where nothing listens to any, each with the origin that it came from. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
	await page.evaluate(() => {
		const heard: string[] = [];
		addEventListener('message', ({ data, origin }) => typeof data === 'string' && heard.push(`${origin}: ${data}`));
		Object.assign(window, { heard });
	});
	return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

/** The browser's own words where the scripts of a preview do not run. */
export const scriptsAreOff = /Blocked script execution/;
