// `npm run bench`: the figures of a real build in a real browser, as one table. It asserts no time: machines differ, and
// the goals that are ratios compare two things in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../../scripts/app-build.mjs';
import { ensureBrowsers } from '../../scripts/browsers.mjs';
import { ensureDependencies } from '../../scripts/dependencies.mjs';
import { parseFlags } from '../../scripts/flags.mjs';
import { runMain } from '../../scripts/halt.mjs';
import { requireNode } from '../../scripts/node-version.mjs';
import { parseOnly } from '../../scripts/steps.mjs';
import { formatTable } from './table.mjs';

/**
 * One line of the table; without a goal the figure is there to be compared with the next run's.
 * @typedef {{ what: string, figure: string, goal?: string, met?: boolean }} Row
 * @typedef {{ rows: Row[], notes: string[] }} Result notes: whole sentences, printed below the table
 * @typedef {{ million: boolean }} Options million: also what takes an hour
 * @typedef {{ measure: (work: string, options: Options) => Promise<Result> }} Measure work: a folder that is removed at the end
 */

// Loaded when their turn comes: a fresh clone has no packages before ensureDependencies.
/** @type {Record<string, { title: string, load: () => Promise<Measure> }>} */
const measures = {
	1: { title: 'script before the first send', load: () => import('./measures/script-weight.mjs') },
	2: { title: 'time to a usable composer', load: () => import('./measures/time-to-composer.mjs') },
	3: { title: 'append latency', load: () => import('./measures/append-latency.mjs') },
	4: { title: 'streaming a long answer', load: () => import('./measures/streaming-cost.mjs') },
	5: { title: 'the model on this device', load: () => import('./measures/on-device-speed.mjs') },
	6: { title: 'long sessions', load: () => import('./measures/long-sessions.mjs') },
	7: { title: 'many sessions', load: () => import('./measures/session-list.mjs') },
	8: { title: 'what the model sees', load: () => import('./measures/context.mjs') },
	9: { title: 'search', load: () => import('./measures/search.mjs') },
	10: { title: 'opening a chat', load: () => import('./measures/opening-chat.mjs') },
	11: { title: 'a day in one tab', load: () => import('./measures/day.mjs') },
	12: { title: 'typing', load: () => import('./measures/typing.mjs') },
	13: { title: 'steps of an agent', load: () => import('./measures/agent-steps.mjs') }
};

const help = `Measures a build of Snug: a table of figures and goals. It takes some minutes; keep the machine quiet.

  npm run bench -- [--only 1,3] [--million]

${Object.entries(measures)
	.map(([number, { title }]) => `  ${number}  ${title}`)
	.join('\n')}

With --million, the search is measured with a million messages too, which takes an hour.`;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130));

await runMain(async () => {
	const flags = parseFlags(process.argv.slice(2), { only: 'string', million: 'boolean', help: 'boolean' }, 'npm run bench --');
	if (flags.help) {
		console.log(help);
		return;
	}
	const chosen = parseOnly(flags.only, Object.keys(measures));
	requireNode();
	await ensureDependencies();
	await ensureBrowsers();
	await ensureBuild();
	const work = mkdtempSync(join(tmpdir(), 'snug-bench-'));
	process.once('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));
	const { prepareSite } = await import('./site.mjs');
	await prepareSite(work);

	/** @type {Row[]} */
	const rows = [];
	/** @type {string[]} */
	const notes = [];
	for (const number of chosen) {
		const result = await run(number, work, { million: flags.million ?? false });
		rows.push(...result.rows);
		notes.push(...result.notes);
	}
	console.log(`\n${formatTable(rows)}\n`);
	for (const note of notes) console.log(note);
});

/** @param {string} number @param {string} work @param {Options} options @returns {Promise<Result>} */
async function run(number, work, options) {
	const { title, load } = /** @type {typeof measures[string]} */ (measures[number]);
	const start = performance.now();
	process.stdout.write(`${number}  ${title} ... `);
	try {
		const { measure } = await load();
		const { rows, notes } = await measure(work, options);
		console.log(`${((performance.now() - start) / 1000).toFixed(0)} s`);
		return { rows, notes: notes.map((note) => `(${number}) ${note}`) };
	} catch (error) {
		console.log('could not be measured');
		console.error(error);
		process.exitCode = 1;
		return { rows: [{ what: title, figure: 'could not be measured' }], notes: [] };
	}
}
