import { median, ms, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const long = 100_000;
const openings = 9;

/**
 * What the length of a session costs: the newest 200 of a long one against a short one, an append to it against an empty
 * one, opening one that was compacted 500 times against one that never was, deleting 10 000 messages, and restoring 100 000 from a backup against putting the same rows.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	try {
		const taken = await withProfile(work, async (context) => {
			const page = await context.newPage();
			await page.goto(`${site.url}bench/long-sessions.html`);
			await page.waitForFunction(() => 'makeSession' in window);
			const ids = await page.evaluate(async (counts) => {
				const ids = [];
				for (const count of counts) ids.push(await window.makeSession(count));
				return ids;
			}, [long, 1000, 1, 10_000]);
			const [longId, shortId, emptyId, goneId] = /** @type {[string, string, string, string]} */ (ids);
			const compared = await page.evaluate(async () => {
				const [never, often] = [await window.makeSession(10_001), await window.makeSession(10_001)];
				await window.makeCompactions(often, 20);
				return /** @type {const} */ ([never, often]);
			});
			return {
				opening: await open(context, site.url, compared),
				newest: await page.evaluate((ids) => window.readNewest(ids, 60), [longId, shortId]),
				append: await page.evaluate((ids) => window.appendTo(ids, 150), [longId, emptyId]),
				deletion: await page.evaluate((id) => window.deleteSession(id), goneId),
				import: await page.evaluate((count) => window.compareImport(count), long / 1000)
			};
		});
		const [newestLong, newestShort] = taken.newest.map(median);
		const [appendLong, appendEmpty] = taken.append.map(median);
		const newest = Number(newestLong) / Number(newestShort);
		const append = Number(appendLong) / Number(appendEmpty);
		const [never, often] = /** @type {[number, number]} */ (taken.opening.map(median));
		const { took, longestFrame } = taken.deletion;
		const { restored, raw } = taken.import;
		return {
			rows: [
				{ what: 'newest 200 of 100 000 messages', figure: ms(Number(newestLong)) },
				{ what: 'newest 200, 100 000 against 1 000', figure: times(newest), goal: '≤ 1.5×', met: newest <= 1.5 },
				{ what: 'append, 100 000 against an empty session', figure: times(append), goal: '≤ 1.2×', met: append <= 1.2 },
				{ what: 'opening 10 000 messages with 500 compactions', figure: ms(often) },
				{ what: 'the same against none', figure: times(often / never), goal: '≤ 1.1×', met: often / never <= 1.1 },
				{ what: 'deleting 10 000 messages', figure: ms(took) },
				{ what: 'longest frame meanwhile', figure: ms(longestFrame), goal: '≤ 50 ms', met: longestFrame <= 50 },
				{ what: 'restoring 100 000 messages', figure: `${Math.round(long / (restored / 1000))} messages/s` },
				{ what: 'the same against raw puts', figure: times(raw / restored), goal: '≥ 0.9×', met: raw / restored >= 0.9 }
			],
			notes: ['Medians in one profile on disk, the two sessions of each ratio in turns. Restoring reads the file twice, to check it first, and checks every row.']
		};
	} finally {
		await site.kill();
	}
}

/**
 * Milliseconds from the start of the navigation to the frame with the newest message of each session, in turns.
 * @param {import('playwright').BrowserContext} context @param {string} url @param {readonly string[]} ids
 */
async function open(context, url, ids) {
	const page = await context.newPage();
	await page.addInitScript(() => {
		/** @type {any} */ (window).drawn = new Promise((resolve) => {
			const observer = new MutationObserver(() => {
				if (!document.querySelector('[role="log"] article')) return;
				observer.disconnect();
				requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
			});
			observer.observe(document, { subtree: true, childList: true });
		});
	});
	await page.goto(url);
	await page.evaluate(() => navigator.serviceWorker.ready);
	/** @type {number[][]} */
	const taken = ids.map(() => []);
	// The first ones are for the browser to get warm.
	for (let round = -2; round < openings; round++) {
		for (const [index, id] of ids.entries()) {
			await page.goto(`${url}s/${id}`);
			const drawn = await page.evaluate(() => /** @type {any} */ (window).drawn);
			if (round >= 0) taken[index]?.push(drawn);
		}
	}
	await page.close();
	return taken;
}
