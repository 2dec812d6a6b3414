import { median, ms, times, withRange } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

/** @typedef {import('playwright').Page} Page */
/** @typedef {{ took: number, tasks: number[], nodes: number, heap: number }} Opened took: milliseconds; tasks: those of over 50 ms; heap: bytes */

const runs = 7;
const lengths = /** @type {const} */ ([3, 1001, 10_001]);
/** Chats beside those that are opened, and the messages of each. */
const others = { chats: 500, messages: 60 };
const nodesGoal = 2000;

/**
 * From the start of a page's load, or from a click in the list, to the frame with the end of a chat, formatted: of one answer, of 1 000
 * messages and of 10 000, in turns, in a profile of 500 chats and 40 000 messages; what stands in the page once it rests; and that of a new chat.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	try {
		const { loaded, clicked, empty } = await withProfile(work, (context) => openAll(context, site.url));
		const [short, thousand, tenThousand] = /** @type {[Opened[], Opened[], Opened[]]} */ (loaded);
		const took = (/** @type {Opened[]} */ all) => all.map(({ took }) => took);
		const middle = (/** @type {Opened[]} */ all) => median(took(all));
		const nodes = Math.max(...thousand.map(({ nodes }) => nodes));
		const tasks = [...thousand, ...tenThousand].flatMap(({ tasks }) => tasks);
		const longest = Math.max(0, ...tasks);
		const length = middle(tenThousand) / middle(thousand);
		return {
			rows: [
				{ what: 'opening 1 000 messages by address, end formatted', figure: withRange(took(thousand), 'ms') },
				{ what: 'the same against a chat of one answer', figure: times(middle(thousand) / middle(short)) },
				{ what: 'opening 10 000, against 1 000', figure: times(length), goal: '≤ 1.05×', met: length <= 1.05 },
				...lengths.map((count, at) => ({ what: `opening ${count - 1} by a click`, figure: withRange(clicked[at] ?? [], 'ms') })),
				{ what: 'nodes in the page, 1 000 open', figure: String(nodes), goal: `< ${nodesGoal}`, met: nodes < nodesGoal },
				{ what: 'heap more than of a new chat', figure: `${((median(thousand.map(({ heap }) => heap)) - empty.heap) / 1e6).toFixed(1)} MB of ${(empty.heap / 1e6).toFixed(1)}` },
				{ what: 'longest task while opening', figure: ms(longest), goal: '≤ 50 ms', met: longest <= 50 }
			],
			notes: [
				`Medians of ${runs} openings, with ${others.chats} other chats of ${others.messages} messages. ` +
					`Tasks of over 50 ms in ${2 * runs} openings of long chats: ${tasks.map(Math.round).join(', ') || 'none'}.`
			]
		};
	} finally {
		await site.kill();
	}
}

/** @param {import('playwright').BrowserContext} context @param {string} url */
async function openAll(context, url) {
	const page = await context.newPage();
	await page.goto(`${url}bench/long-sessions.html`);
	await page.waitForFunction(() => 'makeFormatted' in window);
	await page.evaluate(({ chats, messages }) => window.makeSessions(chats, messages), others);
	// The last ones are the first in the list.
	const ids = await page.evaluate(async (lengths) => {
		const ids = [];
		for (const count of lengths) ids.push(await window.makeFormatted(count));
		return ids;
	}, lengths);
	await page.addInitScript(watch);
	await page.goto(url);
	await page.evaluate(() => navigator.serviceWorker.ready);
	await rest(page);
	const empty = await stateOf(page, context);
	/** @type {Opened[][]} */
	const loaded = lengths.map(() => []);
	/** @type {number[][]} */
	const clicked = lengths.map(() => []);
	// The first ones are for the browser to get warm.
	for (let round = -1; round < runs; round++) {
		for (const [index, id] of ids.entries()) {
			await page.goto(`${url}s/${id}`);
			const took = await page.evaluate(() => /** @type {any} */ (window).endDrawn(0));
			await rest(page);
			if (round >= 0) loaded[index]?.push({ took, ...(await stateOf(page, context)) });
		}
	}
	await page.goto(url);
	await rest(page);
	for (let round = -1; round < runs; round++) {
		for (const [index, id] of ids.entries()) {
			const took = await page.evaluate((id) => {
				const began = performance.now();
				/** @type {HTMLElement} */ (document.querySelector(`nav a[href$="/s/${id}"]`)).click();
				return /** @type {any} */ (window).endDrawn(began, id);
			}, id);
			if (round >= 0) clicked[index]?.push(took);
			await rest(page);
		}
	}
	return { loaded, clicked, empty };
}

/** Runs in the page, before its own scripts: notes long tasks, and tells when the end of a chat is in sight, in the task after its frame. */
function watch() {
	const tasks = /** @type {number[]} */ ([]);
	new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask', buffered: true });
	let changedAt = performance.now();
	new MutationObserver(() => (changedAt = performance.now())).observe(document, { subtree: true, childList: true, attributes: true });
	Object.assign(window, {
		longTasks: tasks,
		changedAt: () => changedAt,
		/** @param {number} began @param {string} [id] */
		endDrawn: (began, id) =>
			new Promise((resolve) => {
				const look = () => {
					const end = [...document.querySelectorAll('[role=log] strong')].findLast(({ textContent }) => textContent === 'the very end');
					const { top = 0, bottom = 0 } = end?.getBoundingClientRect() ?? {};
					if (bottom === 0 || top > innerHeight || (id !== undefined && !location.pathname.endsWith(id))) lookAfterFrame();
					else resolve(performance.now() - began);
				};
				// Before the frame it may not be scrolled to yet.
				const lookAfterFrame = () => requestAnimationFrame(() => setTimeout(look));
				lookAfterFrame();
			})
	});
}

/** Waits until nothing in the page has changed for a second. @param {Page} page */
async function rest(page) {
	await page.waitForFunction(() => performance.now() - /** @type {any} */ (window).changedAt() > 1000, undefined, { polling: 100 });
}

/** @param {Page} page @param {import('playwright').BrowserContext} context @returns {Promise<Omit<Opened, 'took'>>} */
async function stateOf(page, context) {
	const { tasks, nodes } = await page.evaluate(() => ({ tasks: /** @type {any} */ (window).longTasks, nodes: document.querySelectorAll('*').length }));
	const devtools = await context.newCDPSession(page);
	await devtools.send('HeapProfiler.collectGarbage');
	const { usedSize } = await devtools.send('Runtime.getHeapUsage');
	await devtools.detach();
	return { tasks, nodes, heap: usedSize };
}
