import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot, root } from './paths.mjs';

/** @typedef {(text: string | Buffer) => void} Print */

/** The exit code of a program that was stopped since it printed nothing any more; that of the command `timeout`. */
export const fellSilent = 124;

/**
 * Runs a program in the repository's folder, with its output in this terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, print?: Print, maxSilence?: number }} [options] quiet: the output is shown only when the program fails;
 * print: takes the output instead of the terminal; maxSilence: for how many milliseconds the program may print nothing before it is stopped
 * @returns {Promise<number>} its exit code; 1 when a signal ended it, 127 when it could not be started, `fellSilent`
 */
export function run(command, args, { quiet = false, print, maxSilence } = {}) {
	if (maxSilence !== undefined) print ??= (text) => process.stdout.write(text);
	return new Promise((resolve) => {
		// npm is a .cmd file on Windows, which only a shell can start.
		const shell = process.platform === 'win32' && command === 'npm';
		const env = print && process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env;
		const child = spawn(command, args, { cwd: root, env, stdio: quiet || print ? ['inherit', 'pipe', 'pipe'] : 'inherit', shell });
		/** @type {Buffer[]} */
		const output = [];
		let isSilent = false;
		const silence = maxSilence === undefined ? undefined : setTimeout(() => {
			isSilent = true;
			child.kill();
			setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
		}, maxSilence);
		const take = (/** @type {Buffer} */ chunk) => {
			silence?.refresh();
			if (quiet || !print) output.push(chunk);
			else print(chunk);
		};
		child.stdout?.on('data', take);
		child.stderr?.on('data', take);
		const stop = () => child.kill();
		process.once('exit', stop);
		const finish = (/** @type {number} */ code) => {
			clearTimeout(silence);
			process.off('exit', stop);
			if (code !== 0) (print ?? ((text) => process.stderr.write(text)))(Buffer.concat(output));
			resolve(code);
		};
		child.once('error', () => finish(127));
		// Not 'exit': the last of the output may still be on its way then.
		child.once('close', (code) => finish(isSilent ? fellSilent : (code ?? 1)));
		child.once('exit', () => {
			if (!isSilent) return;
			// What it has started may keep its output open.
			child.stdout?.destroy();
			child.stderr?.destroy();
		});
	});
}

/**
 * Runs the command of an installed package with this very Node, so that no shell and no PATH is needed.
 * @param {string} packageName
 * @param {string[]} args
 * @param {{ name?: string, quiet?: boolean, print?: Print }} [options] name: of the command, where it is not called like the package
 */
export function runTool(packageName, args, { name = packageName, ...options } = {}) {
	/** @type {{ bin: string | Record<string, string> }} */
	const { bin } = JSON.parse(readFileSync(inRoot(`node_modules/${packageName}/package.json`), 'utf8'));
	const file = typeof bin === 'string' ? bin : bin[name];
	if (!file) throw new Error(`${packageName} has no command ${name}`);
	return run(process.execPath, [inRoot(`node_modules/${packageName}/${file}`), ...args], options);
}

/**
 * npm itself: the one that started this script where there is one, otherwise the one on the PATH.
 * @param {string[]} args
 */
export function runNpm(args) {
	const script = process.env.npm_execpath;
	// Under pnpm or yarn the variable names those; the lock file is npm's.
	return script && /npm-cli\.c?js$/.test(script) && existsSync(script)
		? run(process.execPath, [script, ...args])
		: run('npm', args);
}
