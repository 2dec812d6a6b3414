import type { Command } from './command';
import { sessionHere } from './here';

/** [S7] */
export const contextCommand: Command = {
	name: 'context',
	usage: '/context',
	summary: 'Show what the model sees of this chat, and why',
	needs: 'chat',
	async run(_argument, context) {
		await sessionHere(context);
		return { kind: 'open', what: 'context' };
	}
};
