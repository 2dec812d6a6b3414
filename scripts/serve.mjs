// Serves a finished build: `node scripts/serve.mjs [--port N] [--folder build] [--weights FILE|none]`.
import { parseFlags, parseHosts, parsePort } from './flags.mjs';
import { runMain } from './halt.mjs';
import { serve } from './host.mjs';
import { inRoot } from './paths.mjs';
import { findDefaultWeights, openWeights } from './weights.mjs';

const help = `Serves a finished build of Snug on this machine.

  --port N         default 4747; 0 takes a free one
  --folder DIR     default build/
  --allow-host A,B names besides 127.0.0.1 and localhost that it answers under, such as those of a reverse proxy
  --weights FILE   the GGUF file to offer, or "none"; default: the default model, where it has been fetched`;

await runMain(async () => {
	const flags = parseFlags(
		process.argv.slice(2),
		{ port: 'string', folder: 'string', weights: 'string', 'allow-host': 'string', help: 'boolean' },
		'node scripts/serve.mjs'
	);
	if (flags.help) {
		console.log(help);
		return;
	}
	const { url } = await serve({
		folder: flags.folder ?? inRoot('build'),
		port: parsePort(flags.port, 4747),
		weights: await chooseWeights(flags.weights),
		allowedHosts: parseHosts(flags['allow-host'])
	});
	console.log(`Snug is at ${url}`);
});

/** @param {string | undefined} choice */
async function chooseWeights(choice) {
	if (choice === 'none') return null;
	return choice === undefined ? findDefaultWeights() : openWeights(choice);
}
