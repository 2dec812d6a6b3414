// Where the tests' browsers are, and how to get them. Loaded by the build's configuration too: only Node's own modules.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Halt } from './halt.mjs';
import { run, runTool } from './run.mjs';

const isRoot = process.getuid?.() === 0;

/**
 * Features of Chromium that the tests do without. Of two lists it takes the last one: the first lines are those of Playwright
 * (`disabledFeatures` in `chromiumSwitches.ts`), the last is the pages that Chromium keeps ready behind the address field of each
 * window, which cost a test a sixth of its time.
 */
const disabledFeatures = [
	...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'DialMediaRouteProvider', 'GlobalMediaControls', 'HttpsUpgrades'],
	...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'BlockOriginHeaderModificationOnRedirect'],
	...['AvoidCorsURLLoaderRestartOnRedirect', 'Translate', 'AutoDeElevate', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
	...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
];

/** Flags that keep Chromium quiet and let it run as root; harmless elsewhere. */
const chromiumArgs = [
	...(isRoot ? ['--no-sandbox'] : []),
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync'
];

/** The system's Chromium: without windows where there is such a one, since drawing them costs a test a quarter of its time. */
const findChromium = () => findOnPath('chromium-headless-shell') ?? findOnPath('chromium');

/**
 * Launch options for Playwright: the system's Chromium where there is one, otherwise Playwright's own.
 * @param {...string} without features of Chromium that are switched off besides
 */
export function chromiumLaunch(...without) {
	const executablePath = findChromium();
	const features = `--disable-features=${[...disabledFeatures, ...without].join()}`;
	return { args: [...chromiumArgs, features], ...(executablePath && { executablePath }) };
}

/**
 * Launch options for Playwright: the system's Firefox ESR where there is one, otherwise Playwright's own. Only the latter
 * is patched for Playwright's protocol; the channel makes Playwright speak WebDriver BiDi, as every Firefox does.
 */
export function firefoxLaunch() {
	const executablePath = findOnPath('firefox-esr');
	return executablePath ? { channel: 'moz-firefox', executablePath } : {};
}

/**
 * Installs the browsers that are missing: Debian's own packages where that can be done (root on Debian), otherwise
 * Playwright's. To be called when the dependencies are in.
 * @throws {Halt} when one cannot be installed
 */
export async function ensureBrowsers() {
	const missing = await findMissing();
	if (missing.length === 0) return;
	console.log(`Installing the browsers for the tests: ${missing.join(', ')} ...`);
	const code = isRoot && isDebian() ? await installByApt(missing) : await runTool('playwright', ['install', ...missing]);
	if (code !== 0) throw new Halt(`The browsers could not be installed (${missing.join(', ')}); the reason is above.`);
}

/** @returns {Promise<string[]>} `chromium`, `firefox` */
async function findMissing() {
	const { chromium, firefox } = await import('playwright');
	const there = {
		chromium: findChromium() ?? chromium.executablePath(),
		firefox: findOnPath('firefox-esr') ?? firefox.executablePath()
	};
	return Object.entries(there).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
}

/** @param {string[]} names */
async function installByApt(names) {
	const packages = names.map((name) => (name === 'firefox' ? 'firefox-esr' : 'chromium-headless-shell'));
	const updated = await run('apt-get', ['update', '-qq']);
	return updated === 0 ? run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]) : updated;
}

/** Not Ubuntu: its packages of these names only point to the snap store. */
function isDebian() {
	const release = '/etc/os-release';
	return existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
}

/** @param {string} name @returns {string | undefined} */
function findOnPath(name) {
	const folders = (process.env.PATH ?? '').split(delimiter);
	// A snap is shut out of the folders that Playwright keeps profiles in.
	const usable = folders.filter((folder) => folder && !folder.startsWith('/snap'));
	return usable.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
