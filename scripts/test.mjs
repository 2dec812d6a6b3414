// `npm test`: everything that must hold, from a fresh clone. All steps run, so that one call tells all that is wrong.
import { ensureBuild, build } from './app-build.mjs';
import { ensureBrowsers } from './browsers.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { parseFlags } from './flags.mjs';
import { Halt, runMain } from './halt.mjs';
import { requireNode } from './node-version.mjs';
import { fellSilent, runTool } from './run.mjs';
import { parseOnly, runSteps } from './steps.mjs';
import { ensureDefaultWeights } from './weights.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

/** @type {Record<string, Step>} */
const first = {
	build: () => codeOf(build)
};

/**
 * For how many milliseconds the tests in the browser may print nothing: six times what the longest file takes. Where the machine is busy the page of a
 * file is never loaded now and then, and Vitest waits for it for ever (vitest-dev/vitest#11243).
 */
const maxSilence = 420_000;

/** So many parts: what fell silent is run once more, and not all of it. */
const parts = 4;

/** @type {Record<string, Step>} */
const ofSources = {
	lint: (options) => runTool('eslint', ['.', '--max-warnings=0'], options),
	types: (options) => runTool('svelte-check', ['--tsconfig', './tsconfig.json'], options),
	unit: (options) => runTool('vitest', ['run', '--project', 'unit'], options),
	browser: async (options) => {
		let worst = 0;
		for (let part = 1; part <= parts; part++) {
			const run = () => runTool('vitest', ['run', '--project', 'browser', `--shard=${part}/${parts}`], { ...options, maxSilence });
			let code = await run();
			if (code === fellSilent) {
				(options.print ?? console.log)(`\nNothing was printed for ${maxSilence / 60_000} minutes. Part ${part} is run once more.\n`);
				code = await run();
			}
			worst = Math.max(worst, code);
		}
		return worst;
	}
};

/** @type {Record<string, Step>} beside those of the sources: each of the two alone leaves a part of two cores idle */
const ofBuild = {
	e2e: async (options) => {
		const built = await codeOf(ensureBuild);
		return built === 0 ? runTool('@playwright/test', ['test'], { ...options, name: 'playwright' }) : built;
	}
};

const known = Object.keys({ ...first, ...ofSources, ...ofBuild });

const help = `Runs the tests: ${known.join(', ')}.

  --only a,b   only these steps`;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130));

await runMain(async () => {
	const flags = parseFlags(process.argv.slice(2), { only: 'string', help: 'boolean' }, 'npm test --');
	if (flags.help) {
		console.log(help);
		return;
	}
	requireNode();
	const names = parseOnly(flags.only, known);
	await ensureDependencies();
	const needsBrowsers = names.includes('browser') || names.includes('e2e');
	if (needsBrowsers) await ensureBrowsers();
	// Kit writes the tsconfig.json that ours extends.
	if ((await runTool('@sveltejs/kit', ['sync'], { name: 'svelte-kit' })) !== 0) throw new Halt('svelte-kit sync failed.');

	if (needsBrowsers) await ensureDefaultWeights();

	const asked = (/** @type {Record<string, Step>} */ steps) => Object.entries(steps).filter(([name]) => names.includes(name));
	await runSteps(asked(first), asked(ofSources), asked(ofBuild));
});

/** @param {() => Promise<void>} action @returns {Promise<number>} */
async function codeOf(action) {
	try {
		await action();
		return 0;
	} catch (error) {
		if (!(error instanceof Halt)) throw error;
		console.error(error.message);
		return 1;
	}
}
