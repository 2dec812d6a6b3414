import type { Session } from '../conversation/session';
import type { Command, Outcome } from './command';
import { absent, choicesOf, sessionCandidates } from './sessions';

/** [E4] */
export const sessionCommand: Command = {
	name: 'session',
	usage: '/session <id or title>',
	summary: 'Go to another chat',
	listed: true,
	async run(argument, context) {
		if (argument === '') return { kind: 'refused', text: 'Say which chat: /session and its id, its title or words from it.' };
		const [first, ...others] = await context.findSessions(argument);
		if (!first) return absent(argument);
		if (others.length === 0) return goTo(first);
		return {
			kind: 'choose',
			text: `“${argument}” matches several chats. Which one?`,
			choices: choicesOf([first, ...others], context, (session) => Promise.resolve(goTo(session)))
		};
	},
	complete: sessionCandidates
};

function goTo({ id }: Session): Outcome {
	return { kind: 'go', path: `/s/${id}` };
}
