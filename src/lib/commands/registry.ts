import { AppError } from '../shared/app-error';
import { branchCommand } from './branch';
import { budgetCommand } from './budget';
import { cleanupCommand } from './cleanup';
import { takesArgument, type Command, type CommandContext, type Outcome } from './command';
import { compactCommand, summarizeCommand } from './compact';
import { contextCommand } from './context';
import { deleteCommand } from './delete';
import { helpOn } from './help';
import { historyCommand } from './history';
import { labelCommand } from './label';
import { listCommand } from './list';
import { newCommand } from './new';
import { parseCommand } from './parse';
import { personaCommand } from './persona';
import { pinCommand, unpinCommand } from './pin';
import { promptCommand } from './prompt';
import { renameCommand } from './rename';
import { resourceCommand } from './resource';
import { sessionCommand } from './session';
import { tokensCommand } from './tokens';
import { treeCommand } from './tree';
import { usageCommand } from './usage';

const withoutHelp: readonly Command[] = [
	newCommand,
	sessionCommand,
	listCommand,
	historyCommand,
	renameCommand,
	pinCommand,
	unpinCommand,
	deleteCommand,
	treeCommand,
	branchCommand,
	labelCommand,
	personaCommand,
	contextCommand,
	compactCommand,
	summarizeCommand,
	tokensCommand,
	usageCommand,
	budgetCommand,
	promptCommand,
	resourceCommand,
	cleanupCommand
];

/** Every command, in the order in which they are listed. */
export const commands: readonly Command[] = [...withoutHelp, helpOn(withoutHelp)];

export function findCommand(name: string): Command | undefined {
	return commands.find((command) => command.name === name);
}

/** Runs the command that `text` is. What an AppError says is its outcome; other errors are thrown. */
export async function run(text: string, context: CommandContext): Promise<Outcome> {
	const parsed = parseCommand(text);
	if (!parsed) throw new Error('not a command');
	// A prompt of a tool server is a command by its own name.
	if (parsed.name.includes(':')) Object.assign(parsed, { name: promptCommand.name, argument: `${parsed.name} ${parsed.argument}` });
	const command = findCommand(parsed.name);
	if (!command) return unknown(parsed.name);
	if (command.listed && context.isTemporary) return { kind: 'refused', text: `A temporary chat is in no list, so /${command.name} is not here.` };
	if (parsed.argument !== '' && !takesArgument(command)) {
		return { kind: 'refused', text: `/${command.name} takes nothing after it. Put a space before “/” to send it as text.` };
	}
	try {
		return await command.run(parsed.argument, context);
	} catch (error) {
		if (error instanceof AppError) return { kind: 'refused', text: error.message };
		throw error;
	}
}

/** The command whose name `name` begins, or that it is at most two slips of a finger from; one where it is short. */
export function nearest(name: string): string | undefined {
	const begun = commands.find((command) => command.name.startsWith(name));
	if (begun) return begun.name;
	const [first] = commands
		.map((command) => ({ name: command.name, slips: distance(name, command.name) }))
		.sort((a, b) => a.slips - b.slips);
	return first && first.slips <= (name.length > 3 ? 2 : 1) ? first.name : undefined;
}

/** Counts the letters that are to be added, left out, changed or swapped with the next to make `b` of `a`. */
export function distance(a: string, b: string): number {
	const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const changed = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
			row[j] = Math.min(changed, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
		}
		rows.push(row);
	}
	return rows[a.length]![b.length]!;
}

function unknown(name: string): Outcome {
	const near = nearest(name);
	const hint = near ? `Did you mean /${near}?` : '/help lists them all.';
	return {
		kind: 'refused',
		text: `There is no command /${name}. ${hint} Put a space before “/” to send it as text.`
	};
}
