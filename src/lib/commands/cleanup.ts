import { columns, count } from './columns';
import type { Command } from './command';
import { countIn } from './count-in';
import { sessionRow } from './sessions';

/** The age that is used where the user has set none; days [R4, E14]. */
export const defaultCleanupDays = 90;

/** More lines than these say nothing to anyone. */
const maxListed = 200;

export const cleanupCommand: Command = {
	name: 'cleanup',
	usage: '/cleanup [--older-than N]',
	summary: 'Delete chats unused for N days; asks first, keeps pinned and open ones',
	listed: true,
	alone: 'Delete unused chats…',
	async run(argument, context) {
		const written = countIn(argument, '--older-than', '/cleanup --older-than 30');
		const days = written ?? (await context.retentionDays()) ?? defaultCleanupDays;
		const found = await context.previewCleanup({ olderThanDays: days });
		if (found.length === 0) return { kind: 'text', text: `No chats have been unused for ${count(days, 'day')} or more, apart from pinned and open ones.` };
		const lines = columns(found.slice(0, maxListed).map((session) => sessionRow(session, context.now())));
		const ids = found.map(({ id }) => id);
		const chats = count(found.length, 'chat');
		return {
			kind: 'confirm',
			text: `${chats} unused for ${count(days, 'day')} or more. Once deleted, ${found.length === 1 ? 'it' : 'they'} can be restored for 7 days.`,
			listing: found.length > maxListed ? `${lines}\n… and ${found.length - maxListed} more` : lines,
			label: `Delete ${chats}`,
			run: async () => {
				const gone = await context.cleanUp(ids, { olderThanDays: days });
				return { kind: 'done', text: `${count(gone.length, 'chat')} deleted.`, undo: () => context.restoreSessions(gone) };
			}
		};
	}
};
