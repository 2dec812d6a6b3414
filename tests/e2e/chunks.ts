import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Name of the one chunk of the build in `folder` that holds these words. */
export function chunkWith(folder: string, words: string): string {
	const chunks = join(folder, '_app/immutable/chunks');
	const [name, ...others] = readdirSync(chunks).filter((name) => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes(words));
	if (name === undefined || others.length > 0) throw new Error(`These words are not in one chunk: ${words}`);
	return name;
}

/** Keeps a file of this name from arriving, until the returned function is called. */
export async function holdFile(page: Page, name: string): Promise<() => void> {
	let arrive = () => {};
	const arrived = new Promise<void>((resolve) => (arrive = resolve));
	await page.route(`**/${name}`, async (route) => {
		await arrived;
		await route.continue();
	});
	return arrive;
}
