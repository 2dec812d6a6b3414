import { AppError } from '../shared/app-error';

/** A command as it was typed. What follows the name is the argument, without the space around it. Names count in lower case. */
export interface ParsedCommand {
	name: string;
	argument: string;
}

/**
 * Takes a command apart; undefined for a message. A command begins with a slash and a letter, and its first word has no
 * further slash: `/usr/bin/env` is a message, as are `// text` and anything after a space.
 */
export function parseCommand(text: string): ParsedCommand | undefined {
	const found = /^\/(\p{L}[^\s/]*)(?:\s([^]*))?$/u.exec(text);
	return found ? { name: found[1]!.toLowerCase(), argument: (found[2] ?? '').trim() } : undefined;
}

/**
 * The whole number in an argument, alone or after `flag` (`20`, `-n 20`, `-n20`, `--older-than=20`); undefined for an
 * empty argument. Throws an AppError for anything else.
 */
export function countIn(argument: string, flag: string, example: string): number | undefined {
	if (argument === '') return undefined;
	const written = argument.startsWith(flag) ? argument.slice(flag.length).replace(/^\s*=?\s*/, '') : argument;
	const count = /^\d{1,6}$/.test(written) ? Number(written) : 0;
	if (count === 0) throw new AppError('command-argument', `“${argument}” is not a number that this can use. Write it like this: ${example}`);
	return count;
}
