// `npm run test:changed`: what a change may have broken, in about a minute. `npm test` is what must hold.
import { ensureBuild } from './app-build.mjs';
import { ensureBrowsers } from './browsers.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { parseFlags } from './flags.mjs';
import { runMain } from './halt.mjs';
import { runTool } from './run.mjs';
import { runSteps } from './steps.mjs';
import { ensureDefaultWeights } from './weights.mjs';

const help = `Runs types, and the unit, browser and end-to-end tests that import what has changed since the last commit.

  --since main   since that commit or branch`;

await runMain(async () => {
	const flags = parseFlags(process.argv.slice(2), { since: 'string', help: 'boolean' }, 'npm run test:changed --');
	if (flags.help) {
		console.log(help);
		return;
	}
	const since = flags.since ?? 'HEAD';
	await ensureDependencies();
	await ensureBrowsers();
	const vitest = (/** @type {string} */ project) => runTool('vitest', ['run', '--project', project, '--changed', since, '--passWithNoTests']);
	/** @type {[string, () => Promise<number>][]} */
	const steps = [
		['types', () => runTool('svelte-check', ['--tsconfig', './tsconfig.json'])],
		['unit', () => vitest('unit')],
		['browser', () => vitest('browser')],
		[
			'e2e',
			async () => {
				await ensureBuild();
				await ensureDefaultWeights();
				return runTool('@playwright/test', ['test', `--only-changed=${since}`, '--pass-with-no-tests'], { name: 'playwright' });
			}
		]
	];
	await runSteps(steps);
});
