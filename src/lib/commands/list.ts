import { columns } from './columns';
import type { Command } from './command';
import { countIn } from './count-in';
import { sessionRow } from './sessions';

/** [A12] */
export const listCommand: Command = {
	name: 'list',
	usage: '/list [-n N]',
	summary: 'List the newest 20 (or N) chats',
	listed: true,
	alone: 'List the newest chats',
	async run(argument, context) {
		const limit = countIn(argument, '-n', '/list -n 20') ?? 20;
		const sessions = await context.listSessions(limit);
		if (sessions.length === 0) return { kind: 'text', text: 'There are no chats yet.' };
		return { kind: 'text', listing: columns(sessions.map((session) => sessionRow(session, context.now()))) };
	}
};
