import type { Session } from '../conversation/session';
import { AppError } from '../shared/app-error';
import type { CommandContext } from './command';

/** The session that the user is in. Throws an AppError in a new chat, which is none until its first message. */
export async function sessionHere({ place, session }: CommandContext): Promise<Session> {
	const found = place.sessionId === undefined ? undefined : await session(place.sessionId);
	if (!found) throw new AppError('session-none', 'There is no chat here yet. It starts with your first message.');
	return found;
}
