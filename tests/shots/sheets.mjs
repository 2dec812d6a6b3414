import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumLaunch } from '../../scripts/browsers.mjs';
import { inRoot } from '../../scripts/paths.mjs';

/** Where the pictures and the sheets are. */
export const folder = inRoot('test-results/shots');

export const sizes = [
	{ width: 1280, height: 800 },
	{ width: 820, height: 1180 },
	{ width: 390, height: 844 }
];

export const schemes = /** @type {const} */ (['light', 'dark']);

const screensPerSheet = 4;
/** In pixels on a sheet. */
const height = 400;

const style = `body { font: 14px sans-serif; margin: 12px; background: #888 } h2 { margin: 8px 0 4px; font-size: 16px } section { display: flex; gap: 8px }
	span { background: #c88 }`;

/** @param {number} index @param {string} name @param {number} width @param {string} scheme */
export function fileOf(index, name, width, scheme) {
	return `${String(index + 1).padStart(2, '0')} ${name} ${width} ${scheme}.png`;
}

/**
 * Lays the pictures out, a screen a line, and returns the paths of the sheets. A picture that is not there leaves its place red.
 * @returns {Promise<string[]>}
 */
export async function makeSheets() {
	const files = readdirSync(folder).filter((file) => /^\d\d .* \d+ (light|dark)\.png$/.test(file)).sort();
	const screens = [...new Set(files.map((file) => file.replace(/ \d+ (light|dark)\.png$/, '')))];
	const browser = await chromium.launch(chromiumLaunch());
	const paths = [];
	for (let first = 0; first < screens.length; first += screensPerSheet) {
		const page = await browser.newPage({ viewport: { width: 2440, height: 400 } });
		await page.setContent(`<style>${style}</style>${screens.slice(first, first + screensPerSheet).map((screen) => lineOf(screen, files)).join('')}`);
		await page.waitForFunction(() => [...document.images].every((image) => image.complete));
		const path = join(folder, `sheet ${String(first / screensPerSheet + 1).padStart(2, '0')}.png`);
		await page.screenshot({ path, fullPage: true });
		paths.push(path);
		await page.close();
	}
	await browser.close();
	return paths;
}

/** @param {string} screen @param {string[]} files */
function lineOf(screen, files) {
	const pictures = sizes.flatMap((size) =>
		schemes.map((scheme) => {
			const file = `${screen} ${size.width} ${scheme}.png`;
			if (!files.includes(file)) return `<span style="height: ${height}px; width: ${(height * size.width) / size.height}px"></span>`;
			return `<img height="${height}" alt="" src="data:image/png;base64,${readFileSync(join(folder, file), 'base64')}">`;
		})
	);
	return `<h2>${screen}</h2><section>${pictures.join('')}</section>`;
}
