import { startOpenAiServer } from '../../fixtures/openai-server.mjs';
import { chooseModel, send } from '../chat.mjs';
import { median, ms, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

/** @typedef {import('playwright').Page} Page */

const goal = 1.1;
/** As many steps as a turn may have, less the one that says that it is done; and the number of them that are compared. */
const work = { turns: 6, steps: 180, compared: 100 };
const sent = 50;

/**
 * The time that a step of an agent takes of Snug, as its chat grows: from the end of an answer that calls a tool to the request after it. The model is
 * sent the same number of messages each time.
 * @param {string} folder
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(folder) {
	const site = await startSite(folder);
	const server = await startOpenAiServer();
	try {
		const steps = await withProfile(folder, (context) => run(context, site.url, server.url));
		const first = median(steps.slice(work.steps, work.steps + work.compared));
		const last = median(steps.slice(-work.compared));
		return {
			rows: [
				{ what: `a step, of the last ${work.compared} of ${steps.length}`, figure: ms(last) },
				{ what: 'the same against the first that send as much', figure: times(last / first), goal: `≤ ${goal}×`, met: last / first <= goal }
			],
			notes: [`The model is sent the newest ${sent} messages, the tool tells the time, and the chat is open.`]
		};
	} finally {
		await server.close();
		await site.kill();
	}
}

/** Returns the milliseconds of each step. @param {import('playwright').BrowserContext} context @param {string} url @param {string} baseUrl */
async function run(context, url, baseUrl) {
	const page = await context.newPage();
	await page.goto(url);
	await chooseModel(page, baseUrl, 'agent');
	await page.evaluate(
		async ({ sent }) => {
			const { tools, context } = /** @type {any} */ (window).snug;
			await tools.switch('current_time', true);
			await context.configure({ contextMessages: sent });
		},
		{ sent }
	);
	await page.goto(`${url}settings`);
	const limit = page.getByLabel('Maximum steps per answer');
	await limit.fill('200');
	await limit.press('Tab');
	await page.getByRole('link', { name: 'New chat' }).first().click();
	await page.evaluate(() => performance.setResourceTimingBufferSize(10_000));
	for (let turn = 1; turn <= work.turns; turn++) {
		await send(page, [...Array(work.steps).fill('call current_time {}'), `Done, for the ${turn}. time.`].join('\n'));
		await page.getByRole('article', { name: 'Assistant' }).filter({ hasText: `Done, for the ${turn}. time.` }).waitFor({ timeout: 600_000 });
		await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
	}
	return page.evaluate(() => {
		const asked = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource')).filter(({ name }) => name.endsWith('/chat/completions'));
		return asked.slice(1).map(({ startTime }, index) => startTime - /** @type {PerformanceResourceTiming} */ (asked[index]).responseEnd);
	});
}
