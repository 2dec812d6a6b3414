import { Halt } from './halt.mjs';

/** @typedef {import('./run.mjs').Print} Print */
/** @typedef {(options: { print?: Print }) => Promise<number>} Step resolves with its exit code; `print` takes its output, where it is given */
/** @typedef {{ name: string, passed: boolean, seconds: number, output?: string }} Result `output` is empty where the terminal took it */

/** How many lines of a failed step are printed again at the end, where a log that is cut still has them. */
const repeatedLines = 80;

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
 * Makes so many streams of text come one after another: what is written to the first that has not ended goes through, the others are held.
 * @param {number} count
 * @param {Print} write
 * @returns {{ print: Print, end: () => void }[]}
 */
export function inOrder(count, write) {
	const streams = Array.from({ length: count }, () => ({ held: /** @type {(string | Buffer)[]} */ ([]), hasEnded: false }));
	let current = 0;
	return streams.map((stream, index) => ({
		print: (text) => {
			if (index === current) write(text);
			else stream.held.push(text);
		},
		end: () => {
			stream.hasEnded = true;
			while (streams[current]?.hasEnded) for (const text of streams[++current]?.held.splice(0) ?? []) write(text);
		}
	}));
}

/**
 * Runs steps, also behind one that failed, so that one call tells all that is wrong; prints the end of what failed and a summary, and sets the exit code.
 * @param {[name: string, step: Step][]} first one after another
 * @param {...[name: string, step: Step][]} lanes after those, side by side, each of them one step after another; what they print comes
 * lane by lane
 */
export async function runSteps(first, ...lanes) {
	const results = await runLane(first);
	const used = lanes.filter((steps) => steps.length > 0);
	const streams = inOrder(used.length, (text) => process.stdout.write(text));
	// Alone, a lane has the terminal to itself.
	const running = used.map((steps, index) => (used.length > 1 ? runLane(steps, streams[index]) : runLane(steps)));
	results.push(...(await Promise.all(running)).flat());
	for (const { name, passed, output } of results) {
		if (!passed && output) console.log(`\n── the end of ${name}\n${output.trim().split('\n').slice(-repeatedLines).join('\n')}`);
	}
	console.log(`\n${summarize(results)}`);
	if (results.some((result) => !result.passed)) process.exitCode = 1;
}

/**
 * @param {[name: string, step: Step][]} steps
 * @param {{ print?: Print, end?: () => void }} [stream] the terminal, where none is given
 */
async function runLane(steps, { print, end } = {}) {
	/** @type {Result[]} */
	const results = [];
	for (const [name, step] of steps) {
		(print ?? ((text) => process.stdout.write(text)))(`\n── ${name}\n`);
		const start = performance.now();
		/** @type {string[]} */
		const output = [];
		const code = await step(print ? { print: (text) => (output.push(String(text)), print(text)) } : {});
		results.push({ name, passed: code === 0, seconds: (performance.now() - start) / 1000, output: output.join('') });
	}
	end?.();
	return results;
}
