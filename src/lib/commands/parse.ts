import { commandForm } from '../conversation/command-form';

/** A command as it was typed. What follows the name is the argument, without the space around it. Names count in lower case. */
export interface ParsedCommand {
	name: string;
	argument: string;
}

/** Takes a command apart; undefined for a message. */
export function parseCommand(text: string): ParsedCommand | undefined {
	const found = commandForm.exec(text);
	return found ? { name: found[1]!.toLowerCase(), argument: (found[2] ?? '').trim() } : undefined;
}
