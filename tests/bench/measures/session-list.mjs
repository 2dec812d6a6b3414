import { median, times, withRange } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const runs = 5;
const many = 10_000;

/**
 * From the start of the navigation to the first session in the sidebar, with 10 000 sessions and with 10.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	try {
		const few = await withSessions(work, site.url, 10);
		const all = await withSessions(work, site.url, many);
		return {
			rows: [
				{ what: 'session list of 10 000 to first paint', figure: withRange(all, 'ms') },
				{ what: 'the same against 10 sessions', figure: times(median(all) / median(few)) }
			],
			notes: [`Medians of ${runs} loads with the service worker in control, from the start of the navigation to the frame with the first session.`]
		};
	} finally {
		await site.kill();
	}
}

/** @param {string} work @param {string} url @param {number} count */
async function withSessions(work, url, count) {
	return withProfile(work, async (context) => {
		const page = await context.newPage();
		await page.goto(`${url}bench/long-sessions.html`);
		await page.waitForFunction(() => 'makeSessions' in window);
		await page.evaluate((count) => window.makeSessions(count), count);
		await page.addInitScript(() => {
			/** @type {any} */ (window).listed = new Promise((resolve) => {
				const observer = new MutationObserver(() => {
					if (!document.querySelector('nav a[href*="/s/"]')) return;
					observer.disconnect();
					requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
				});
				observer.observe(document, { subtree: true, childList: true });
			});
		});
		await page.goto(url);
		await page.evaluate(() => navigator.serviceWorker.ready);
		/** @type {number[]} */
		const taken = [];
		for (let run = 0; run < runs; run++) {
			await page.goto(url);
			taken.push(await page.evaluate(() => /** @type {any} */ (window).listed));
		}
		return taken;
	});
}
