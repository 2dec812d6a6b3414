import { median, ms, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const long = 100_000;

/**
 * What the length of a session costs: the newest 200 of a long one against a short one, an append to it against an empty
 * one, deleting 10 000 messages, and restoring 100 000 from a backup against putting the same rows.
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
			return {
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
		const { took, longestFrame } = taken.deletion;
		const { restored, raw } = taken.import;
		return {
			rows: [
				{ what: 'newest 200 of 100 000 messages', figure: ms(Number(newestLong)) },
				{ what: 'newest 200, 100 000 against 1 000', figure: times(newest), goal: '≤ 1.5×', met: newest <= 1.5 },
				{ what: 'append, 100 000 against an empty session', figure: times(append), goal: '≤ 1.2×', met: append <= 1.2 },
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
