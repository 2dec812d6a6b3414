import { Halt } from './halt.mjs';

/**
 * Says whether a Node version can build Snug; the ranges are those of its build tool (Vite 8).
 * @param {string} version as in `process.versions.node`
 */
export function isNodeSupported(version) {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

/** @throws {Halt} when the running Node is too old */
export function requireNode(version = process.versions.node) {
	if (isNodeSupported(version)) return;
	throw new Halt(
		`Snug needs Node 20.19 or a later 20, or 22.12 or newer; this is Node ${version}. ` +
			'Install a newer one from https://nodejs.org and try again.'
	);
}
