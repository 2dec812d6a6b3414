import { markdownTokens } from '../../fixtures/markdown-text.mjs';
import { startOpenAiServer } from '../../fixtures/openai-server.mjs';
import { answered, chooseModel, send } from '../chat.mjs';
import { median, ms, times } from '../figures.mjs';
import { withProfile } from '../profile.mjs';
import { startSite } from '../site.mjs';

/** @typedef {import('playwright').Page} Page */

const goal = 1.1;
const droppedGoal = 0.006;
const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(2)} %`;
const runs = 3;
const tokens = markdownTokens(8000).length;

/**
 * What a token of a long answer costs the page's main thread, by quarters of the answer, in the app as it is.
 * @param {string} work
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work) {
	const site = await startSite(work);
	const server = await startOpenAiServer();
	try {
		/** @type {Awaited<ReturnType<typeof stream>>[]} */
		const all = [];
		for (let i = 0; i < runs; i++) all.push(await withProfile(work, (context) => stream(context, site.url, server.url)));
		const ratios = all.map(({ cost }) => /** @type {number} */ (cost[3]) / /** @type {number} */ (cost[0]));
		const ratio = median(ratios);
		const dropped = median(all.map(({ dropped }) => dropped));
		const tasks = all.flatMap(({ tasks }) => tasks);
		const quarters = (/** @type {'cost' | 'layouts'} */ of, /** @type {(value: number) => string} */ format) =>
			[0, 1, 2, 3].map((quarter) => format(median(all.map((run) => /** @type {number} */ (run[of][quarter]))))).join(', ');
		return {
			rows: [
				{ what: 'main thread per 1000 tokens, first quarter', figure: ms(median(all.map(({ cost }) => cost[0] ?? NaN))) },
				{ what: 'main thread per 1000 tokens, last quarter', figure: ms(median(all.map(({ cost }) => cost[3] ?? NaN))) },
				{ what: 'last quarter against first', figure: times(ratio), goal: `≤ ${goal}×`, met: ratio <= goal },
				{ what: 'dropped frames meanwhile', figure: percent(dropped), goal: `≤ ${percent(droppedGoal)}`, met: dropped <= droppedGoal },
				{ what: 'tasks of over 50 ms meanwhile', figure: `${tasks.length}, longest ${ms(Math.max(0, ...tasks))}`, goal: 'none', met: tasks.length === 0 }
			],
			notes: [
				`Medians of ${runs} answers of ${tokens} tokens, at ${Math.round(median(all.map(({ rate }) => rate)))} a second. ` +
					`CPU time of the main thread, by quarters: ${quarters('cost', ms)} per 1000 tokens; ` +
					`layouts: ${quarters('layouts', String)}. Ratios of the runs: ${ratios.map(times).join(', ')}.`
			]
		};
	} finally {
		await server.close();
		await site.kill();
	}
}

/**
 * @param {import('playwright').BrowserContext} context @param {string} url @param {string} baseUrl
 * @returns {Promise<{ cost: number[], layouts: number[], rate: number, dropped: number, tasks: number[] }>} cost: milliseconds per 1000 tokens, a quarter each;
 *   dropped: share of the frames that the screen could have shown; tasks: milliseconds of those of over 50
 */
async function stream(context, url, baseUrl) {
	const page = await context.newPage();
	const devtools = await context.newCDPSession(page);
	// The thread's own time, not the clock's: what else runs on the machine is no cost of the page's.
	await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
	/** @type {Promise<{ tokens: number, task: number, layouts: number, time: number }>[]} */
	const marks = [];
	await page.exposeFunction('quarterReached', () => void marks.push(takeMark(page, devtools)));
	await page.addInitScript(countTokens, tokens);
	await page.goto(url);
	// A short answer first: what is fetched and compiled once is no part of either quarter.
	await ask(page, baseUrl, 'markdown-long', 1);
	marks.length = 0;
	await page.evaluate(watchFrames);
	await ask(page, baseUrl, 'huge@1', 2);
	const { dropped, tasks } = await page.evaluate(() => /** @type {any} */ (window).framesSeen());
	const taken = await Promise.all(marks);
	if (taken.length !== 5) throw new Error(`${taken.length} marks, where a start and four quarters were expected`);
	const spans = taken.slice(1).map((end, i) => {
		const start = /** @type {typeof end} */ (taken[i]);
		return {
			cost: ((end.task - start.task) / (end.tokens - start.tokens)) * 1e6,
			layouts: end.layouts - start.layouts,
			rate: (end.tokens - start.tokens) / (end.time - start.time)
		};
	});
	return {
		cost: spans.map(({ cost }) => cost),
		layouts: spans.map(({ layouts }) => layouts),
		rate: median(spans.map(({ rate }) => rate)),
		dropped,
		tasks
	};
}

/** Runs in the page: from now on notes the frames that come late, and long tasks; `framesSeen` tells. */
function watchFrames() {
	const tasks = /** @type {number[]} */ ([]);
	new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
	const frame = 1000 / 60;
	let [shown, due, last] = [0, 0, performance.now()];
	const watch = (/** @type {number} */ now) => {
		shown++;
		due += Math.max(1, Math.round((now - last) / frame));
		last = now;
		requestAnimationFrame(watch);
	};
	requestAnimationFrame(watch);
	Object.assign(window, { framesSeen: () => ({ dropped: 1 - shown / due, tasks }) });
}

/** Has an answer of the server's model. @param {Page} page @param {string} baseUrl @param {string} model @param {number} nth */
async function ask(page, baseUrl, model, nth) {
	await chooseModel(page, baseUrl, model);
	await send(page, `Tell me everything, for the ${nth}. time`);
	await answered(page);
}

/** @param {Page} page @param {import('playwright').CDPSession} devtools */
async function takeMark(page, devtools) {
	const [{ metrics }, tokens] = await Promise.all([
		devtools.send('Performance.getMetrics'),
		page.evaluate(() => /** @type {any} */ (window).tokensReceived)
	]);
	const value = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
	return { tokens, task: value('TaskDuration'), layouts: value('LayoutCount'), time: value('Timestamp') };
}

/**
 * Runs in the page, before its own scripts: counts the tokens of a streamed answer as they come through `fetch`, and tells
 * when the first is there and when each quarter is.
 * @param {number} tokens
 */
function countTokens(tokens) {
	const page = /** @type {any} */ (window);
	const fetch = window.fetch;
	window.fetch = async (...call) => {
		const response = await fetch(...call);
		if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
		const marks = [1, ...[1, 2, 3, 4].map((quarter) => Math.floor((tokens * quarter) / 4))];
		let lines = 0;
		/** @type {TransformStream<Uint8Array, Uint8Array>} */
		const counter = new TransformStream({
			transform(chunk, controller) {
				// An event is a line of data and an empty one.
				for (const byte of chunk) if (byte === 10) lines++;
				page.tokensReceived = lines / 2;
				while (marks[0] !== undefined && page.tokensReceived >= marks[0]) {
					marks.shift();
					page.quarterReached();
				}
				controller.enqueue(chunk);
			}
		});
		return new Response(response.body.pipeThrough(counter), response);
	};
}
