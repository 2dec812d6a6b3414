import { openComposer } from '../composer.mjs';
import { median, times, withRange } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const runs = 7;

/**
 * From the start of the navigation to a usable composer: in a new profile, again with the service worker in control, and
 * again with the server killed. All three in the same browser, so that their ratios are of one run.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	/** @type {Awaited<ReturnType<typeof once>>[]} */
	const all = [];
	for (let i = 0; i < runs; i++) all.push(await once(work));
	const cold = all.map((run) => run.cold);
	const ratio = (/** @type {'warm' | 'offline'} */ name) => times(median(all.map((run) => run[name] / run.cold)));
	return {
		rows: [
			{ what: 'usable composer, cold', figure: withRange(cold, 'ms') },
			{ what: 'usable composer, warm', figure: withRange(all.map((run) => run.warm), 'ms') },
			{ what: 'usable composer, offline', figure: withRange(all.map((run) => run.offline), 'ms') },
			{ what: 'warm against cold', figure: ratio('warm') },
			{ what: 'offline against cold', figure: ratio('offline') }
		],
		notes: [
			`Medians of ${runs} new profiles. Cold: nothing stored. Warm: the service worker in control. ` +
				'Offline: the server process killed.'
		]
	};
}

/** @param {string} work */
async function once(work) {
	const site = await startSite(work);
	try {
		return await withProfile(work, async (context) => {
			const cold = await openComposer(context, site.url);
			await cold.page.evaluate(untilControlled);
			await cold.page.close();
			const warm = await openComposer(context, site.url);
			await requireControlled(warm.page);
			await warm.page.close();
			await site.kill();
			const offline = await openComposer(context, site.url);
			await requireControlled(offline.page);
			return { cold: cold.took, warm: warm.took, offline: offline.took };
		});
	} finally {
		await site.kill();
	}
}

/** Runs in the page: the worker is active, so everything is precached, and has taken over. */
async function untilControlled() {
	await navigator.serviceWorker.ready;
	if (navigator.serviceWorker.controller) return;
	await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}

/** @param {import('playwright').Page} page */
async function requireControlled(page) {
	const controlled = await page.evaluate(() => navigator.serviceWorker.controller !== null);
	if (!controlled) throw new Error('no service worker was in control');
}
