import { formatOutline } from '../conversation/outline';
import type { Command } from './command';
import { sessionHere } from './here';

/** [Z9] */
export const treeCommand: Command = {
	name: 'tree',
	usage: '/tree',
	summary: 'Show the branches of this chat',
	needs: 'chat',
	async run(_argument, context) {
		const { id } = await sessionHere(context);
		const outline = await context.outline(id);
		return { kind: 'text', listing: outline ? formatOutline(outline) : '' };
	}
};
