// `npm start`: from a fresh clone to the app in the browser. Only Node's own modules until the dependencies are in.
import { resolve } from 'node:path';
import { ensureBuild } from './app-build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { parseFlags, parseHosts, parsePort } from './flags.mjs';
import { runMain } from './halt.mjs';
import { requireNode } from './node-version.mjs';
import { openBrowser } from './open-browser.mjs';
import { inRoot } from './paths.mjs';
import { requireFreePort } from './port.mjs';
import { ensureDefaultWeights, openWeights } from './weights.mjs';

const help = `Starts Snug on this machine and opens it in the browser.
The first start installs, fetches a small model and builds.

  npm start -- [flags]

  --port N            default 4747. The browser keeps conversations by address: another port starts empty
  --no-open           do not open the browser
  --model FILE.gguf   offer this model instead of the default one
  --allow-host A,B    names besides 127.0.0.1 and localhost that it answers under, such as those of a reverse proxy
  --help              this text`;

// Everything that was started or half fetched is cleaned up by the exit listeners, so Ctrl-C ends all at once.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(0));

await runMain(async () => {
	const flags = parseFlags(
		process.argv.slice(2),
		{ port: 'string', 'no-open': 'boolean', model: 'string', 'allow-host': 'string', help: 'boolean' },
		'npm start --'
	);
	if (flags.help) {
		console.log(help);
		return;
	}
	requireNode();
	// What can be wrong with the command is said before minutes are spent.
	const port = parsePort(flags.port, 4747);
	await requireFreePort(port);
	// npm runs scripts in the repository's folder; INIT_CWD is where the person typed the path.
	const own = flags.model === undefined ? null : openWeights(resolve(process.env.INIT_CWD ?? '', flags.model));

	await ensureDependencies();
	const weights = own ?? (await ensureDefaultWeights());
	await ensureBuild();
	const { serve } = await import('./host.mjs');
	const { url } = await serve({ folder: inRoot('build'), port, weights, allowedHosts: parseHosts(flags['allow-host']) });
	console.log(`Snug is at ${url}`);
	console.log('Ctrl-C ends it. Once the page has been open, it works without this server too.');
	if (!flags['no-open']) openBrowser(url);
});
