import { takesArgument, type Command, type CommandContext } from './command';
import { parseCommand } from './parse';
import { promptCommand } from './prompt';
import { commands, findCommand } from './registry';

/** A completion of the composer's text. */
export interface Completion {
	text: string;
	label: string;
	detail: string;
}

/** `of` says what is completed: the command's name, or what follows it. */
export interface Completions {
	of: 'name' | 'argument';
	items: Completion[];
}

/** The most arguments that are offered: whoever types more of one is offered fewer. */
const maxArguments = 100;

/** Lists the completions of a text that begins with a slash, best first, by commands that are `offered`; none if it is a message. */
export async function complete(text: string, context: CommandContext, offered: (command: Command) => boolean = () => true): Promise<Completions> {
	if (text !== '/' && !parseCommand(text)) return { of: 'name', items: [] };
	const [, name, rest] = /^\/(\S*)(\s[^]*)?$/.exec(text)!;
	if (rest === undefined) return { of: 'name', items: completeName(name!.toLowerCase(), commands.filter(offered)) };
	// A prompt of a tool server is a command by its own name.
	const ofServer = name!.includes(':') ? `${name} ` : '';
	const command = findCommand(ofServer ? promptCommand.name : name!.toLowerCase());
	const typed = ofServer + rest.trimStart();
	const candidates = (await command?.complete?.(typed.trim(), context, typed)) ?? [];
	return { of: 'argument', items: candidates.slice(0, maxArguments).map(({ value, ...shown }) => ({ text: ofServer ? `/${value}` : `/${name} ${value}`, ...shown })) };
}

/** The commands that `name` begins, then those that have its letters in that order. */
function completeName(name: string, commands: readonly Command[]): Completion[] {
	const isBegun = (command: string) => command.startsWith(name);
	const isWithin = (command: string) => {
		let at = 0;
		for (const letter of command) if (letter === name[at]) at++;
		return at === name.length;
	};
	const exactFirst = commands.filter((command) => isBegun(command.name)).sort((a, b) => Number(b.name === name) - Number(a.name === name));
	const loosely = commands.filter((command) => !isBegun(command.name) && isWithin(command.name));
	return [...exactFirst, ...loosely].map((command) => ({
		text: takesArgument(command) ? `/${command.name} ` : command.usage,
		label: command.usage,
		detail: command.summary
	}));
}
