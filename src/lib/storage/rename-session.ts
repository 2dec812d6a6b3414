import { textOf } from '../conversation/message';
import { maxTitle, type Session } from '../conversation/session';
import { titleFrom } from '../conversation/title';
import { AppError } from '../shared/app-error';
import type { Database } from './database';
import { Messages } from './messages';
import { Sessions } from './sessions';

/** The messages among which the first question that says something is looked for. */
const titleReach = 100;

/**
 * Names a session, on one line; an empty name returns it to the title that what was asked first gives, or to none [S2]. An undo
 * says by whom it was named before. Any tab may do it. Throws an AppError (`title-too-long`) over `maxTitle`.
 */
export async function renameSessionUnfenced(db: Database, id: string, name: string, titledBy?: Session['titledBy']): Promise<void> {
	const title = name.replace(/\s+/g, ' ').trim();
	if (titledBy === undefined && title.length > maxTitle) throw new AppError('title-too-long', `A title can have up to ${maxTitle} characters.`);
	if (title !== '') return new Sessions(db).updateUnfenced(id, { title, titledBy: titledBy ?? 'user' });
	await db.transaction('rw', db.sessions, db.messages, db.trees, db.positions, async () => {
		const { path } = await new Messages(db).oldestStretch(id, { limit: titleReach });
		const answered = path.some(({ role }) => role === 'assistant');
		const asked = path.filter(({ role }) => role === 'user').map((message) => titleFrom(textOf(message)));
		await new Sessions(db).updateUnfenced(id, { title: (answered && asked.find((title) => title !== '')) || '', titledBy: 'snug' });
	});
}
