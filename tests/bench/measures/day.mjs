import { startOpenAiServer } from '../../fixtures/openai-server.mjs';
import { answered, chooseModel, send } from '../chat.mjs';
import { times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

/** @typedef {import('playwright').Page} Page */

const goal = 1.2;
const day = { chats: 200, messages: 61, answers: 50 };

/**
 * What a tab holds that was open all day: the heap after a chat was opened and a question answered, and again after 200 chats and 50 answers, both
 * with a new chat on the screen and after the garbage was collected.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	const server = await startOpenAiServer();
	try {
		const { before, warm, after } = await withProfile(work, (context) => live(context, site.url, server.url));
		const ratio = after.heap / before.heap;
		const mb = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
		return {
			rows: [
				{ what: `heap after ${day.chats} chats and ${day.answers} answers`, figure: `${mb(after.heap)} of ${mb(before.heap)}` },
				{ what: 'the same against the beginning', figure: times(ratio), goal: `≤ ${goal}×`, met: ratio <= goal },
				{ what: 'the same against a tenth of the day', figure: times(after.heap / warm.heap) }
			],
			notes: [`Chats of ${day.messages} messages with formatting, each opened until its end is drawn; answers of 800 tokens. Of the heap some is the code that the browser has compiled by then. Nodes that are held at the end: ${after.nodes}, at the beginning: ${before.nodes}.`]
		};
	} finally {
		await server.close();
		await site.kill();
	}
}

/** @param {import('playwright').BrowserContext} context @param {string} url @param {string} baseUrl */
async function live(context, url, baseUrl) {
	const page = await context.newPage();
	await page.goto(`${url}bench/long-sessions.html`);
	await page.waitForFunction(() => 'makeFormatted' in window);
	const ids = await page.evaluate(async ({ chats, messages }) => {
		const ids = [];
		for (let made = 0; made <= chats; made++) ids.push(await window.makeFormatted(messages));
		return ids;
	}, day);
	await page.goto(url);
	await chooseModel(page, baseUrl, 'markdown-long');
	const [first = '', ...others] = ids;
	await open(page, first);
	await answer(page, 1);
	const before = await heapOf(page, context);
	let warm = before;
	for (const [at, id] of others.entries()) {
		if (at === day.chats / 10) warm = await heapOf(page, context);
		await open(page, id);
		if (at % (day.chats / day.answers) === 0) await answer(page, at);
	}
	return { before, warm, after: await heapOf(page, context) };
}

/** Goes to a chat as by a link in the page, and waits until its end is drawn. @param {Page} page @param {string} id */
async function open(page, id) {
	await follow(page, `/s/${id}`);
	await page.waitForFunction((id) => location.pathname.endsWith(id) && [...document.querySelectorAll('[role=log] strong')].some(({ textContent }) => textContent === 'the very end'), id);
}

/** @param {Page} page @param {number} number */
async function answer(page, number) {
	await send(page, `Tell me more, for the ${number}. time`);
	await answered(page);
}

/** @param {Page} page @param {string} path */
async function follow(page, path) {
	await page.evaluate((path) => {
		const link = Object.assign(document.createElement('a'), { href: path });
		document.body.append(link);
		link.click();
		link.remove();
	}, path);
}

/** @param {Page} page @param {import('playwright').BrowserContext} context */
async function heapOf(page, context) {
	await follow(page, '/');
	await page.locator('[role=log]').waitFor({ state: 'detached' });
	// What is done when the page has time.
	await page.waitForTimeout(5000);
	const devtools = await context.newCDPSession(page);
	await devtools.send('HeapProfiler.collectGarbage');
	const { usedSize } = await devtools.send('Runtime.getHeapUsage');
	const { nodes } = await devtools.send('Memory.getDOMCounters');
	await devtools.detach();
	return { heap: usedSize, nodes };
}
