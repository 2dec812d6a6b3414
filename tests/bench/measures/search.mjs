import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCorpus } from '../corpus.mjs';
import { median, ms, times, withRange } from '../figures.mjs';
import { readMaterial } from '../material.mjs';
import { withProfile } from '../profile.mjs';
import { makeQueries } from '../queries.mjs';
import { siteFolder, startSite } from '../site.mjs';
import { longestTask } from '../tasks.mjs';
import { workerHeap } from '../worker-heap.mjs';

/** @typedef {import('playwright').BrowserContext} BrowserContext */
/** @typedef {import('../pages/search-side').Asked} Asked */
/** @typedef {{ cold: number[], asked: Asked[], typos: Asked[], heap: number[], indexing: number }} Side */

const sides = /** @type {const} */ (['search', 'search-fts']);
const goals = { p95: 0.25, cold: 0.7, heap: 60e6, task: 16 };
const rounds = 5;

/**
 * Snug's search against FTS5, SQLite's, on the same messages: how long queries take, how long the first one of a fresh page
 * does, what the workers hold, and what typing a query costs the page's main thread.
 * @param {string} work
 * @param {{ million: boolean }} options million: with a million messages too, which takes an hour
 * @returns {Promise<import('../bench.mjs').Result>}
 */
export async function measure(work, { million }) {
	const material = readMaterial();
	writeFileSync(join(siteFolder(work), 'bench/material.json'), JSON.stringify(material));
	const queries = makeQueries(createCorpus(material));
	const site = await startSite(work);
	try {
		/** @type {import('../bench.mjs').Row[]} */
		const rows = [];
		/** @type {string[]} */
		const alike = [];
		for (const size of [10_000, 100_000, ...(million ? [1_000_000] : [])]) {
			const taken = await withProfile(work, (context) => compare(context, site.url, size, queries));
			rows.push(...rowsOf(size, taken));
			alike.push(`${figureOf(size)}: ${sameTotals(taken)}`);
		}
		return {
			rows,
			notes: [
				`${queries.timed.length} queries of the kinds that people ask, each for the best 20 with ids, scores and snippets, and for how many there are, ` +
					`asked once in each of ${rounds} fresh pages a side, in turns, after ${queries.warmUp.length} others. Times are from the page to its worker and back.`,
				'FTS5 has a prefix index, all in one segment, its database in the pool of OPFS files with a cache of 64 MB: the fastest that was found. It counts by a query of its own. ' +
					'Cold is from the making of the worker to the first answer, in a fresh page of the same profile.',
				'Heap is what the worker holds after the queries and a collection of garbage: objects and array buffers. ' +
					'The longest task is CPU time of the page’s main thread while a query is typed letter by letter, results drawn. ' +
					'The index is made from the store by Snug, merging included, and by FTS5 from messages at hand.',
				`The two split words by different rules, identifiers above all, and FTS5 stems the start of a word too, so “des” finds all from “de” on. Queries with the same number of hits on both sides: ${alike.join('; ')}.`
			]
		};
	} finally {
		await site.kill();
	}
}

/**
 * @param {BrowserContext} context @param {string} url @param {number} size @param {ReturnType<typeof makeQueries>} queries
 */
async function compare(context, url, size, queries) {
	/** @type {Record<typeof sides[number], Side>} */
	const taken = { search: emptySide(), 'search-fts': emptySide() };
	for (const side of sides) {
		const indexing = await onPage(context, url, side, (page) =>
			page.evaluate(async (size) => {
				const filled = await window.searchSide.fill(0, size);
				return filled.indexing + (await window.searchSide.finish()).indexing;
			}, size)
		);
		taken[side].indexing = indexing;
	}
	for (let round = 0; round < rounds; round++) {
		for (const side of sides) {
			await onPage(context, url, side, async (page) => {
				const first = queries.warmUp[round];
				if (!first) throw new Error('there is no query to begin with');
				const ask = (/** @type {typeof queries.timed} */ asked) => page.evaluate((queries) => window.searchSide.ask(queries), asked);
				const { took } = await page.evaluate((query) => window.searchSide.first(query), first);
				await ask(queries.warmUp);
				taken[side].cold.push(took);
				taken[side].asked.push(...(await ask(queries.timed)));
				if (side === 'search-fts') return;
				taken[side].heap.push(await workerHeap(context, page));
				taken[side].typos.push(...(await ask(queries.typos)));
			});
		}
	}
	const typed = ['two words', 'phrase', 'three words'].map((wanted) => String(queries.timed.find(({ kind }) => kind === wanted)?.text.trim()));
	const typing = await onPage(context, url, 'search', (page) => longestTask(context, page, () => type(page, typed)));
	return { ...taken, typing };
}

/** @returns {Side} */
const emptySide = () => ({ cold: [], asked: [], typos: [], heap: [], indexing: 0 });

/**
 * @template T
 * @param {BrowserContext} context @param {string} url @param {typeof sides[number]} side
 * @param {(page: import('playwright').Page) => Promise<T>} use
 */
async function onPage(context, url, side, use) {
	const page = await context.newPage();
	await page.goto(`${url}bench/${side}.html`);
	await page.waitForFunction(() => 'searchSide' in window);
	const used = await use(page);
	await page.close();
	return used;
}

/**
 * Types as fast as people who do it all day.
 * @param {import('playwright').Page} page @param {string[]} queries
 */
async function type(page, queries) {
	const field = page.getByRole('textbox', { name: 'Search' });
	for (const query of queries) {
		await field.fill('');
		await field.pressSequentially(query, { delay: 80 });
		await page.locator('li').first().waitFor();
	}
}

/**
 * @param {number} size @param {Awaited<ReturnType<typeof compare>>} taken
 * @returns {import('../bench.mjs').Row[]}
 */
function rowsOf(size, { search, 'search-fts': fts, typing }) {
	const of = figureOf(size);
	const p95 = share(search.asked, 0.95) / share(fts.asked, 0.95);
	const cold = median(search.cold) / median(fts.cold);
	const heap = median(search.heap);
	const three = (/** @type {Asked[]} */ asked) => [0.5, 0.95, 1].map((part) => ms(share(asked, part))).join(', ');
	const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
	return [
		{ what: `search in ${of}: p50, p95 and longest`, figure: three(search.asked) },
		{ what: 'the same by FTS5', figure: three(fts.asked) },
		{ what: `search in ${of}, p95 against FTS5`, figure: times(p95), goal: `≤ ${goals.p95}×`, met: p95 <= goals.p95 },
		{ what: 'words with a typo, which FTS5 does not find', figure: three(search.typos) },
		{ what: `${of}, cold to the first result`, figure: withRange(search.cold, 'ms') },
		{ what: 'the same by FTS5', figure: withRange(fts.cold, 'ms') },
		{ what: `${of}, cold against FTS5`, figure: times(cold), goal: `≤ ${goals.cold}×`, met: cold <= goals.cold },
		{
			what: `${of}, heap of the worker`,
			figure: megabytes(heap),
			...(size >= 1e6 && { goal: `≤ ${megabytes(goals.heap)}`, met: heap <= goals.heap })
		},
		{ what: `${of}, longest task of the page while typing`, figure: ms(typing), goal: `≤ ${goals.task} ms`, met: typing <= goals.task },
		{ what: `${of}, making the index`, figure: seconds(search.indexing) },
		{ what: 'the same by FTS5', figure: seconds(fts.indexing) }
	];
}

/** How many of the queries found as many on both sides. @param {Awaited<ReturnType<typeof compare>>} taken */
function sameTotals({ search, 'search-fts': fts }) {
	const count = search.asked.length / rounds;
	const same = search.asked.slice(0, count).filter(({ total }, index) => total === fts.asked[index]?.total).length;
	return `${same} of ${count}`;
}

/** @param {Asked[]} asked @param {number} part 0 to 1 */
function share(asked, part) {
	const sorted = asked.map(({ took }) => took).sort((a, b) => a - b);
	return Number(sorted[Math.ceil(part * sorted.length) - 1]);
}

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** @param {number} size e.g. `10 000 messages` */
const figureOf = (size) => `${size.toLocaleString('en').replaceAll(',', ' ')} messages`;
