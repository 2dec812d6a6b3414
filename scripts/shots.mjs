// `npm run shots`: a picture of every screen at three widths, light and dark, and sheets of them to look at.
import { rmSync } from 'node:fs';
import { ensureBuild } from './app-build.mjs';
import { ensureBrowsers } from './browsers.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { parseFlags } from './flags.mjs';
import { Halt, runMain } from './halt.mjs';
import { requireNode } from './node-version.mjs';
import { runTool } from './run.mjs';

const help = `Takes a picture of every screen at 1280, 820 and 390 pixels, light and dark, and lays them out on sheets in test-results/shots.

  --only name   only the screens whose name has this in it; the other pictures stay as they are`;

await runMain(async () => {
	const flags = parseFlags(process.argv.slice(2), { only: 'string', help: 'boolean' }, 'npm run shots --');
	if (flags.help) {
		console.log(help);
		return;
	}
	requireNode();
	await ensureDependencies();
	await ensureBrowsers();
	await ensureBuild();
	const { folder, makeSheets } = await import('../tests/shots/sheets.mjs');
	if (!flags.only) rmSync(folder, { recursive: true, force: true });
	const chosen = flags.only ? ['--grep', flags.only] : [];
	const code = await runTool('@playwright/test', ['test', '--config', 'tests/shots/playwright.config.ts', ...chosen], { name: 'playwright' });
	for (const path of await makeSheets()) console.log(path);
	if (code !== 0) throw new Halt('Some screens could not be reached.');
});
