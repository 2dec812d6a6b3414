import type { Command } from './command';

/** `/help` over these commands and itself. */
export function helpOn(commands: readonly Command[]): Command {
	const help: Command = {
		name: 'help',
		usage: '/help',
		summary: 'Show this list',
		alone: 'Show every slash command',
		run: (_argument, { isTemporary }) =>
			Promise.resolve({
				kind: 'text',
				text: 'Put a space before “/” to send it as text.',
				entries: [...commands, help].filter(({ listed }) => !(listed && isTemporary)).map(({ usage, summary }) => ({ term: usage, detail: summary }))
			})
	};
	return help;
}
