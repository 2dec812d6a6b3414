import type { Session } from '../conversation/session';
import type { Command, CommandContext, Outcome } from './command';
import { sessionHere } from './here';
import { absent, choicesOf, sessionCandidates } from './sessions';

/** [A14] */
export const deleteCommand: Command = {
	name: 'delete',
	usage: '/delete [id or title]',
	summary: 'Delete this chat, or the one named',
	listed: true,
	needs: 'chat',
	async run(argument, context) {
		if (argument === '') return remove(await sessionHere(context), context);
		const [first, ...others] = await context.findSessions(argument);
		if (!first) return absent(argument);
		if (others.length === 0) return remove(first, context);
		return {
			kind: 'choose',
			text: `“${argument}” matches several chats. Which one should be deleted?`,
			choices: choicesOf([first, ...others], context, (session) => remove(session, context))
		};
	},
	complete: sessionCandidates
};

async function remove({ id }: Session, context: CommandContext): Promise<Outcome> {
	await context.deleteSessions([id]);
	return context.place.sessionId === id ? { kind: 'done', path: '/' } : { kind: 'done' };
}
