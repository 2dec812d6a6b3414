import { existsSync, readFileSync } from 'node:fs';
import { Halt } from './halt.mjs';
import { inRoot } from './paths.mjs';
import { runNpm } from './run.mjs';

/**
 * @typedef {{ packages?: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock
 */

/**
 * Says whether what npm wrote down as installed is what the lock file asks for. npm's own record in node_modules is the
 * stamp: it is there only after an install that ran to its end, and it is right too when a person ran npm by hand.
 * @param {Lock} wanted package-lock.json
 * @param {Lock} installed node_modules/.package-lock.json
 */
export function isInstalled(wanted, installed) {
	return Object.entries(wanted.packages ?? {}).every(([path, entry]) => {
		if (path === '') return true;
		const present = installed.packages?.[path];
		// Optional packages are those for other systems, for the most part.
		if (!present) return entry.optional === true;
		return present.version === entry.version && present.integrity === entry.integrity;
	});
}

/**
 * What npm is asked. Everything here is a development dependency, and NODE_ENV=production would leave those out. Engine warnings
 * are silenced: requireNode has answered that question already. No package needs its install script, and one that was tampered
 * with runs no code here.
 */
export const installation = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs from the lock file when node_modules is missing or belongs to another lock file.
 * @throws {Halt} when npm fails
 */
export async function ensureDependencies() {
	const record = inRoot('node_modules/.package-lock.json');
	if (existsSync(record) && isInstalled(readJson(inRoot('package-lock.json')), readJson(record))) return;
	console.log('Installing what Snug is built with (once) ...');
	const code = await runNpm(installation);
	if (code !== 0) {
		throw new Halt('npm could not install the dependencies; its reason is above. Check the connection and try again.');
	}
}

/** @param {string} file @returns {Lock} */
function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}
