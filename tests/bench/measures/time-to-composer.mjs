import { openComposer } from '../composer.mjs';
import { median, times, withRange } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const runs = 7;

/**
 * From the start of the navigation to a usable composer, and to the app's own: in a new profile, again with the service worker in control, and
 * again with the server killed; and to the field of a page that has nothing else, in the same browser, so that the ratios are of one run.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	/** @type {Awaited<ReturnType<typeof once>>[]} */
	const all = [];
	for (let i = 0; i < runs; i++) all.push(await once(work));
	const rows = /** @type {const} */ (['cold', 'warm', 'offline']).flatMap((visit) => {
		const of = (/** @type {'took' | 'app'} */ what) => withRange(all.map((run) => run[visit][what]), 'ms');
		return [
			{ what: `usable composer, ${visit}`, figure: of('took') },
			{ what: `the app, ${visit}`, figure: of('app') }
		];
	});
	return {
		rows: [
			...rows,
			{ what: 'a page with a field and nothing else', figure: withRange(all.map((run) => run.field), 'ms') },
			{ what: 'usable composer, cold, against that', figure: times(median(all.map((run) => run.cold.took / run.field))) }
		],
		notes: [
			`Medians of ${runs} new profiles. Cold: nothing stored. Warm: the service worker in control. ` +
				'Offline: the server process killed. What is typed before the app is there is in its composer then.'
		]
	};
}

/** @param {string} work */
async function once(work) {
	const site = await startSite(work);
	try {
		return await withProfile(work, async (context) => {
			const openField = () => openComposer(context, `${site.url}bench/field.html`);
			// What a browser does when it starts is not part of any.
			await (await openField()).page.close();
			const field = await openField();
			await field.page.close();
			const cold = await openComposer(context, site.url);
			await cold.page.evaluate(untilControlled);
			await cold.page.close();
			const warm = await openComposer(context, site.url);
			await requireControlled(warm.page);
			await warm.page.close();
			await site.kill();
			const offline = await openComposer(context, site.url);
			await requireControlled(offline.page);
			return { cold, warm, offline, field: field.took };
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
