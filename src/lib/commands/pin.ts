import type { Command, CommandContext, Outcome } from './command';
import { sessionHere } from './here';

/** [A8] */
export const pinCommand: Command = {
	name: 'pin',
	usage: '/pin',
	summary: 'Keep this session at the top of the list, and out of every clean-up',
	run: (_argument, context) => setPinned(context, true, 'This session is pinned.')
};

export const unpinCommand: Command = {
	name: 'unpin',
	usage: '/unpin',
	summary: 'Take this session’s pin away',
	run: (_argument, context) => setPinned(context, false, 'This session is not pinned any more.')
};

async function setPinned(context: CommandContext, pinned: boolean, text: string): Promise<Outcome> {
	const { id } = await sessionHere(context);
	await context.pinSession(id, pinned);
	return { kind: 'done', text };
}
