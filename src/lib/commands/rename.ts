import type { Command } from './command';
import { sessionHere } from './here';
import { quoted } from './sessions';

/** [S2] */
export const renameCommand: Command = {
	name: 'rename',
	usage: '/rename [title]',
	summary: 'Give this session a title; none returns to the automatic one',
	async run(argument, context) {
		const before = await sessionHere(context);
		await context.renameSession(before.id, argument);
		const after = await sessionHere(context);
		return {
			kind: 'done',
			text: `This session is called ${quoted(after)} now.`,
			undo: () => context.renameSession(before.id, before.titledBy === 'person' ? before.title : '')
		};
	}
};
