import { fileURLToPath } from 'node:url';

/** The repository's folder. The scripts work from any current folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} path relative to the repository, with forward slashes
 * @returns {string} absolute
 */
export function inRoot(path) {
	return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
