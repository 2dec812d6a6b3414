import type { Command } from './command';
import { sessionHere } from './here';
import { quoted } from './sessions';

/** [S2] */
export const renameCommand: Command = {
	name: 'rename',
	usage: '/rename [title]',
	summary: 'Name this chat; without a name, it gets its automatic title back',
	needs: 'chat',
	async run(argument, context) {
		const before = await sessionHere(context);
		await context.renameSession(before.id, argument);
		const after = await sessionHere(context);
		return {
			kind: 'done',
			text: `This chat is now called ${quoted(after)}.`,
			undo: () => context.renameSession(before.id, before.title, before.titledBy)
		};
	}
};
