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
