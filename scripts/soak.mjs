// `npm run soak`: the crash campaign, the two writers and the compaction by a real model, or with `import` the fuzzers of files and of servers' streams, for long.
import { ensureBuild } from './app-build.mjs';
import { ensureBrowsers } from './browsers.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { parseFlags } from './flags.mjs';
import { runMain } from './halt.mjs';
import { requireNode } from './node-version.mjs';
import { runTool } from './run.mjs';

const help = `Kills a browser in the middle of its work, over and over, prints what was done and what was lost, and lets two tabs fight for one
session, and a model of the device compact a conversation. With \`import\` it restores thousands of mutated backups and streams thousands of mutated answers instead, and looks for what they changed.

  --kills N    how often the browser is killed (500)
  --seconds N  how long the two tabs fight (600)
  --imports N  how many backups, and as many streams, the fuzzers make (10000)
  --seed N     the same course of events as an earlier run's, as far as timing allows`;

await runMain(async () => {
	const isImport = process.argv[2] === 'import';
	const flags = parseFlags(
		process.argv.slice(isImport ? 3 : 2),
		{ kills: 'string', seconds: 'string', imports: 'string', seed: 'string', help: 'boolean' },
		'npm run soak --'
	);
	if (flags.help) {
		console.log(help);
		return;
	}
	requireNode();
	await ensureDependencies();
	await ensureBrowsers();
	if (isImport) {
		process.env.SNUG_IMPORTS = flags.imports ?? '10000';
		if (flags.seed) process.env.SNUG_SEED = flags.seed;
		const files = ['src/lib/transfer/backup/import-fuzz.browser.test.ts', 'src/lib/engine/turns/stream-fuzz.browser.test.ts'];
		process.exitCode = await runTool('vitest', ['run', '--project', 'browser', ...files]);
		return;
	}
	await ensureBuild();
	process.env.SNUG_SOAK = '1';
	process.env.SNUG_KILLS = flags.kills ?? '500';
	process.env.SNUG_SECONDS = flags.seconds ?? '600';
	if (flags.seed) process.env.SNUG_SEED = flags.seed;
	const files = ['tests/e2e/crash.spec.ts', 'tests/e2e/two-writers.spec.ts', 'tests/e2e/model-compaction.spec.ts'];
	process.exitCode = await runTool('@playwright/test', ['test', ...files], { name: 'playwright' });
});
