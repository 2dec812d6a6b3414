import { median, ms, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

const strategies = /** @type {const} */ (['simple', 'code-aware', 'role-budget']);

/**
 * What deciding what the model sees costs: choosing from a session of 5 000 messages with 200 tool calls, against one of
 * 300; and compacting 10 000 messages by each rule, with the frames that the page draws meanwhile.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	try {
		return await withProfile(work, async (context) => {
			const page = await context.newPage();
			await page.goto(`${site.url}bench/long-sessions.html`);
			await page.waitForFunction(() => 'makeSession' in window);
			const long = await page.evaluate(() => window.makeSession(5000, 200));
			const short = await page.evaluate(() => window.makeSession(300, 12));
			const [ofLong, ofShort] = [await page.evaluate((id) => window.choose(id, 60), long), await page.evaluate((id) => window.choose(id, 60), short)];
			const chosen = median(ofLong.chosen);
			const ratio = (median(ofLong.read) + chosen) / (median(ofShort.read) + median(ofShort.chosen));
			const rows = [
				{ what: `choosing ${ofLong.sent} of 5 000 messages, rows read`, figure: ms(chosen), goal: '≤ 5 ms', met: chosen <= 5 },
				{ what: 'reading and choosing, 5 000 against 300', figure: times(ratio), goal: '≤ 1.5×', met: ratio <= 1.5 }
			];
			for (const strategy of strategies) {
				const id = await page.evaluate(() => window.makeSession(10_000));
				const { took, frames } = await page.evaluate(([id, strategy]) => window.compact(id, strategy), /** @type {const} */ ([id, strategy]));
				const p95 = Number([...frames].sort((a, b) => a - b)[Math.floor(frames.length * 0.95)]);
				rows.push({ what: `compacting 10 000 messages, ${strategy}: p95 frame`, figure: ms(p95), goal: '≤ 50 ms', met: p95 <= 50 });
				rows.push({ what: `the whole of it, and its longest frame`, figure: `${ms(took)}, ${ms(Math.max(...frames))}` });
			}
			return { rows, notes: ['Medians in one profile on disk; tokens are estimated, and counted before in all rounds but the first ten.'] };
		});
	} finally {
		await site.kill();
	}
}
