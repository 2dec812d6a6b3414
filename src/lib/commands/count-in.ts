import { AppError } from '../shared/app-error';
import { shorten } from '../shared/shorten';

/**
 * The whole number in an argument, alone or after `flag` (`20`, `-n 20`, `-n20`, `--older-than=20`); undefined for an
 * empty argument. Throws an AppError for anything else.
 */
export function countIn(argument: string, flag: string, example: string): number | undefined {
	if (argument === '') return undefined;
	const written = argument.startsWith(flag) ? argument.slice(flag.length).replace(/^\s*=?\s*/, '') : argument;
	const count = /^\d{1,6}$/.test(written) ? Number(written) : 0;
	if (count === 0) throw new AppError('command-argument', `“${shorten(argument, 100)}” is not a number this command accepts. Write it like this: ${example}`);
	return count;
}
