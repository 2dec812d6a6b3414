/**
 * An end that the user at the terminal can do something about: `message` is one or two whole sentences saying what happened and what
 * to do, and is printed without a stack. Anything else that throws is a bug and keeps its stack.
 */
export class Halt extends Error {}

/**
 * Runs a script's main function; a Halt is printed and ends the process with code 1.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
	try {
		await main();
	} catch (error) {
		if (!(error instanceof Halt)) throw error;
		console.error(error.message);
		process.exit(1);
	}
}
