import { columns, count } from './columns';
import type { Command } from './command';
import { countIn } from './parse';
import { sessionRow } from './sessions';

/** The age that is used where the person has set none; days [R4, E14]. */
export const defaultCleanupDays = 90;

/** More lines than these say nothing to anyone. */
const mostListed = 200;

export const cleanupCommand: Command = {
	name: 'cleanup',
	usage: '/cleanup [--older-than N]',
	summary: 'Delete sessions that were not used for N days; asks first, spares pinned and open ones',
	async run(argument, context) {
		const written = countIn(argument, '--older-than', '/cleanup --older-than 30');
		const days = written ?? (await context.retentionDays()) ?? defaultCleanupDays;
		const found = await context.previewCleanup({ olderThanDays: days });
		if (found.length === 0) return { kind: 'text', text: `No session was left unused for ${count(days, 'day')} or more, pinned and open ones aside.` };
		const lines = columns(found.slice(0, mostListed).map((session) => sessionRow(session, context.now())));
		const ids = found.map(({ id }) => id);
		const sessions = count(found.length, 'session');
		return {
			kind: 'confirm',
			text: `${sessions} ${found.length === 1 ? 'was' : 'were'} not used for ${count(days, 'day')} or more. Once deleted, they can be brought back for 7 days.`,
			listing: found.length > mostListed ? `${lines}\n… and ${found.length - mostListed} more` : lines,
			label: `Delete ${sessions}`,
			run: async () => {
				const gone = await context.cleanUp(ids);
				return { kind: 'done', text: `${count(gone.length, 'session')} deleted.`, undo: () => context.restoreSessions(gone) };
			}
		};
	}
};
