import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { kb } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { manifestFile, siteFolder, startSite } from '../site.mjs';

/** @typedef {{ path: string, type: string, startedAt: number }} Sent startedAt: epoch milliseconds */

const goal = 100_000;
const quiet = 2000;

/**
 * The scripts and other files that the page asks for before the app has taken it over. With service workers blocked every request is the page's own; a
 * second load with them allowed shows whether the worker's install changes the page's part.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	const weigh = (/** @type {Sent[]} */ sent) => scriptsOf(sent).reduce((sum, { path }) => sum + gzBytes(work, path), 0);
	try {
		const blocked = await load(work, site.url, 'block');
		const allowed = await load(work, site.url, 'allow');
		const before = weigh(blocked.first);
		const sent = weigh(blocked.all);
		const notes = [
			`Requests that began before the app was there, by type: ${countTypes(blocked.first)}. ` +
				`Service workers were blocked, so none is the worker's; with the worker allowed the page's own part was ${kb(weigh(allowed.first))} in ` +
				`${allowed.first.length} requests. Scripts are gzipped here at level 9, one by one; 1 KB is 1000 bytes.`
		];
		if (before > goal) notes.push(`The largest scripts:\n${largest(work, blocked.first)}`);
		return {
			rows: [
				{ what: 'script before the app is there, gz', figure: kb(before), goal: `≤ ${goal / 1000} KB`, met: before <= goal },
				{ what: `script ${quiet / 1000} s later, nothing sent, gz`, figure: kb(sent) },
				{
					what: 'requests before the app is there',
					figure: `${blocked.first.length} (${scriptsOf(blocked.first).length} scripts)`
				}
			],
			notes
		};
	} finally {
		await site.kill();
	}
}

/** @param {string} work @param {string} url @param {'allow' | 'block'} serviceWorkers */
function load(work, url, serviceWorkers) {
	return withProfile(
		work,
		async (context) => {
			/** @type {import('playwright').Request[]} */
			const requests = [];
			const page = await context.newPage();
			page.on('requestfinished', (request) => requests.push(request));
			await page.addInitScript(watch);
			await page.goto(url, { waitUntil: 'commit' });
			const at = await page.evaluate(() => /** @type {any} */ (window).appThere);
			await sleep(quiet);
			const sent = await Promise.all(requests.map(describe));
			await page.close();
			return { first: sent.filter(({ startedAt }) => startedAt <= at), all: sent };
		},
		{ serviceWorkers }
	);
}

/** Runs in the page, before its own scripts: notes when the app's composer has taken the place of the page's. Nothing is typed, since what is written needs is loaded then. */
function watch() {
	Object.assign(window, {
		appThere: new Promise((resolve) => {
			new MutationObserver((_, observer) => {
				if (document.readyState === 'loading' || document.getElementById('waking') || !document.querySelector('textarea[aria-label="Message"]')) return;
				observer.disconnect();
				resolve(performance.timeOrigin + performance.now());
			}).observe(document, { childList: true, subtree: true });
		})
	});
}

/** @param {import('playwright').Request} request @returns {Promise<Sent>} */
async function describe(request) {
	const type = (await (await request.response())?.headerValue('content-type')) ?? request.resourceType();
	return {
		path: new URL(request.url()).pathname,
		type: type.split(';', 1)[0] ?? type,
		startedAt: request.timing().startTime
	};
}

/** @param {Sent[]} sent */
const scriptsOf = (sent) => sent.filter(({ type }) => type === 'text/javascript' || type === 'application/javascript');

/** @param {string} work @param {string} path */
const gzBytes = (work, path) => gzipSync(readFileSync(join(siteFolder(work), path)), { level: 9 }).length;

/** @param {Sent[]} sent @returns {string} e.g. `text/javascript 12, text/css 2` */
function countTypes(sent) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const { type } of sent) counts.set(type, (counts.get(type) ?? 0) + 1);
	return [...counts].map(([type, count]) => `${type} ${count}`).join(', ');
}

/** @param {string} work @param {Sent[]} sent @returns {string} the five largest, each with what it was made from */
function largest(work, sent) {
	/** @type {Record<string, { file: string, name?: string, src?: string }>} */
	const manifest = JSON.parse(readFileSync(manifestFile(work), 'utf8'));
	const sources = new Map(Object.values(manifest).map(({ file, name, src }) => [`/${file}`, src ?? name]));
	return scriptsOf(sent)
		.map(({ path }) => ({ path, bytes: gzBytes(work, path) }))
		.sort((a, b) => b.bytes - a.bytes)
		.slice(0, 5)
		.map(({ path, bytes }) => `    ${kb(bytes).padStart(8)}  ${path}  ${sources.get(path)}`)
		.join('\n');
}
