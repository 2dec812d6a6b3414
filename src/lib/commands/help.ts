import type { Command } from './command';

/** `/help` over these commands and itself. */
export function helpOn(commands: readonly Command[]): Command {
	const help: Command = {
		name: 'help',
		usage: '/help',
		summary: 'Show this list',
		run: () =>
			Promise.resolve({
				kind: 'text',
				text: 'A message that begins with a slash is sent as it is if a space comes first.',
				entries: [...commands, help].map(({ usage, summary }) => ({ term: usage, detail: summary }))
			})
	};
	return help;
}
