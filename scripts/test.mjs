// `npm test`: everything that must hold, from a fresh clone. All steps run, so that one call tells all that is wrong.
import { ensureBuild, build } from './app-build.mjs';
import { ensureBrowsers } from './browsers.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { parseFlags } from './flags.mjs';
import { Halt, runMain } from './halt.mjs';
import { requireNode } from './node-version.mjs';
import { runTool } from './run.mjs';
import { parseOnly, runSteps } from './steps.mjs';
import { ensureDefaultWeights } from './weights.mjs';

/** @type {Record<string, () => Promise<number>>} name -> exit code, in the order they run */
const steps = {
	lint: () => runTool('eslint', ['.', '--max-warnings=0']),
	types: () => runTool('svelte-check', ['--tsconfig', './tsconfig.json']),
	unit: () => runTool('vitest', ['run', '--project', 'unit']),
	browser: () => runTool('vitest', ['run', '--project', 'browser']),
	build: () => codeOf(() => build()),
	e2e: async () => {
		const built = await codeOf(ensureBuild);
		if (built !== 0) return built;
		await ensureDefaultWeights();
		return runTool('@playwright/test', ['test'], { name: 'playwright' });
	}
};

const help = `Runs the tests: ${Object.keys(steps).join(', ')}.

  --only a,b   only these steps`;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130));

await runMain(async () => {
	const flags = parseFlags(process.argv.slice(2), { only: 'string', help: 'boolean' }, 'npm test --');
	if (flags.help) {
		console.log(help);
		return;
	}
	requireNode();
	const names = parseOnly(flags.only, Object.keys(steps));
	await ensureDependencies();
	if (names.includes('browser') || names.includes('e2e')) await ensureBrowsers();
	// Kit writes the tsconfig.json that ours extends.
	if ((await runTool('@sveltejs/kit', ['sync'], { name: 'svelte-kit' })) !== 0) throw new Halt('svelte-kit sync failed.');

	await runSteps(Object.entries(steps).filter(([name]) => names.includes(name)));
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
