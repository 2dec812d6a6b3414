import { startOpenAiServer } from '../../fixtures/openai-server.mjs';
import { chooseModel, send } from '../chat.mjs';
import { ms, percentile, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

/** @typedef {import('playwright').Page} Page */

const keys = 120;
const length = 10_001;
const goalMs = 16;
const goalRatio = 1.2;

/**
 * From a key's press to the task after the frame that shows it: in a chat of one answer, in one of 10 000 messages, and in the first while
 * an answer streams. Where frames are drawn all the time, as they are then, the next one alone is up to a sixtieth of a second away, so the first chat is
 * typed into once more while nothing but a dot is drawn in each frame.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	const server = await startOpenAiServer();
	try {
		const { empty, framed, long, streaming } = await withProfile(work, (context) => typeAll(context, site.url, server.url));
		const p95 = (/** @type {number[]} */ all) => percentile(all, 0.95);
		const row = (/** @type {string} */ where, /** @type {number[]} */ all) => ({ what: `key to paint, p95, ${where}`, figure: ms(p95(all)) });
		const ratio = p95(streaming) / p95(framed);
		return {
			rows: [
				row('a chat of one answer', empty),
				{ ...row(`${length - 1} messages open`, long), goal: `≤ ${goalMs} ms`, met: p95(long) <= goalMs },
				row('a chat of one answer, a dot in each frame', framed),
				{ what: 'key to paint, p95, while an answer streams', figure: `${ms(p95(streaming))}, ${times(ratio)}`, goal: `≤ ${goalRatio}×`, met: ratio <= goalRatio }
			],
			notes: [`${keys} keys each, one every 50 ms; the ratio is to the chat with the dot.`]
		};
	} finally {
		await server.close();
		await site.kill();
	}
}

/** @param {import('playwright').BrowserContext} context @param {string} url @param {string} baseUrl */
async function typeAll(context, url, baseUrl) {
	const page = await context.newPage();
	await page.goto(`${url}bench/long-sessions.html`);
	await page.waitForFunction(() => 'makeFormatted' in window);
	const [short, long] = await page.evaluate(async (length) => [await window.makeFormatted(3), await window.makeFormatted(length)], length);
	await page.addInitScript(watchKeys);
	const typedIn = async (/** @type {string | undefined} */ id) => {
		await page.goto(`${url}s/${id}`);
		await page.getByText('the very end').filter({ visible: true }).last().waitFor();
		await page.waitForTimeout(3000);
		// What a first visit keeps for later, and words of chats that were never searched, are no part of typing.
		await page.evaluate(() => navigator.serviceWorker.ready);
		await page.evaluate(() => /** @type {any} */ (window).snug.search('end'));
		return type(page);
	};
	const empty = await typedIn(short);
	await page.evaluate(drawFrames);
	const framed = await type(page);
	const inLong = await typedIn(long);
	await page.goto(`${url}s/${short}`);
	await chooseModel(page, baseUrl, 'huge@1');
	await send(page, 'Tell me everything');
	await page.locator('article[aria-label="Assistant"][aria-busy="true"] p').first().waitFor();
	return { empty, framed, long: inLong, streaming: await type(page) };
}

/** Types into the composer and empties it. @param {Page} page @returns {Promise<number[]>} milliseconds a key */
async function type(page) {
	const field = page.getByRole('textbox', { name: 'Message' });
	await field.focus();
	await page.evaluate(() => void (/** @type {any} */ (window).keysPainted.length = 0));
	await field.pressSequentially('what comes next is typed '.repeat(10).slice(0, keys), { delay: 50 });
	await page.waitForTimeout(500);
	const taken = await page.evaluate(() => [.../** @type {any} */ (window).keysPainted]);
	await field.fill('');
	return taken;
}

/** Runs in the page: from now on a dot changes its colour in each frame. */
function drawFrames() {
	const dot = document.body.appendChild(document.createElement('div'));
	dot.style.cssText = 'position:fixed;inset:0 auto auto 0;width:2px;height:2px';
	let isDark = false;
	requestAnimationFrame(function draw() {
		isDark = !isDark;
		dot.style.background = isDark ? 'black' : 'white';
		requestAnimationFrame(draw);
	});
}

/** Runs in the page, before its own scripts. */
function watchKeys() {
	const painted = /** @type {number[]} */ ([]);
	Object.assign(window, { keysPainted: painted });
	addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => painted.push(performance.now() - timeStamp))), true);
}
