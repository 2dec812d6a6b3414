import { Halt } from './halt.mjs';

/** @typedef {{ name: string, passed: boolean, seconds: number }} Result */

/**
 * @param {string | undefined} only names separated by commas; undefined means all
 * @param {string[]} known
 * @returns {string[]} in the order of `known`
 * @throws {Halt} for a name that is not known
 */
export function parseOnly(only, known) {
	if (only === undefined) return known;
	const names = only.split(',').map((name) => name.trim());
	for (const name of names) {
		if (!known.includes(name)) throw new Halt(`There is no step "${name}"; the steps are ${known.join(', ')}.`);
	}
	return known.filter((name) => names.includes(name));
}

/** @param {Result[]} results @returns {string} a line a step and, last, `N passed, N failed` */
export function summarize(results) {
	const width = Math.max(...results.map((result) => result.name.length));
	const lines = results.map(({ name, passed, seconds }) => {
		return `${name.padEnd(width)}  ${passed ? 'passed' : 'FAILED'}  ${seconds.toFixed(1).padStart(6)} s`;
	});
	const failed = results.filter((result) => !result.passed).length;
	return [...lines, `${results.length - failed} passed, ${failed} failed`].join('\n');
}

/**
 * Runs steps one after another, also behind one that failed, so that one call tells all that is wrong; prints a summary and sets the exit code.
 * @param {[name: string, step: () => Promise<number>][]} steps each resolves with its exit code
 */
export async function runSteps(steps) {
	/** @type {Result[]} */
	const results = [];
	for (const [name, step] of steps) {
		console.log(`\n── ${name}`);
		const start = performance.now();
		const code = await step();
		results.push({ name, passed: code === 0, seconds: (performance.now() - start) / 1000 });
	}
	console.log(`\n${summarize(results)}`);
	if (results.some((result) => !result.passed)) process.exitCode = 1;
}
