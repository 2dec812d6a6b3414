import type { Command, CommandContext, Outcome } from './command';
import { sessionHere } from './here';

/** [A8] */
export const pinCommand: Command = {
	name: 'pin',
	usage: '/pin',
	summary: 'Pin this chat: it stays at the top and is never cleaned up',
	listed: true,
	needs: 'chat',
	fits: ({ session }) => !session.pinned,
	run: (_argument, context) => setPinned(context, true, 'This chat is pinned.')
};

export const unpinCommand: Command = {
	name: 'unpin',
	usage: '/unpin',
	summary: 'Unpin this chat',
	listed: true,
	needs: 'chat',
	fits: ({ session }) => Boolean(session.pinned),
	run: (_argument, context) => setPinned(context, false, 'This chat is no longer pinned.')
};

async function setPinned(context: CommandContext, pinned: boolean, text: string): Promise<Outcome> {
	const { id } = await sessionHere(context);
	await context.pinSession(id, pinned);
	return { kind: 'done', text };
}
