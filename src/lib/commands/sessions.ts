import { nameOf, type Session } from '../conversation/session';
import { formatWhen } from '../shared/when';
import { count, cut } from './columns';
import type { Candidate, Choice, CommandContext, Outcome } from './command';

const nameLength = 60;
const listedNameLength = 36;
const maxOffered = 10;

/** A session's name in a sentence. */
export function quoted(session: Pick<Session, 'title' | 'preview'>): string {
	return `“${cut(nameOf(session), nameLength)}”`;
}

/** A line of a listing: when it last changed, its messages, its name, and its id where it is least in the way. */
export function sessionRow(session: Pick<Session, 'id' | 'updatedAt' | 'messageCount' | 'title' | 'preview'>, now: number): string[] {
	return [formatWhen(session.updatedAt, now), count(session.messageCount, 'message'), cut(nameOf(session), listedNameLength), session.id];
}

/** Sessions to choose from, where a name fits several. */
export function choicesOf(sessions: Session[], { now }: CommandContext, run: (session: Session) => Promise<Outcome>): Choice[] {
	return sessions.map((session) => ({ label: cut(nameOf(session), nameLength), detail: detailOf(session, now()), run: () => run(session) }));
}

/** The sessions that an argument may become: by title, or by id where a title is missing or shared. */
export async function sessionCandidates(argument: string, context: CommandContext): Promise<Candidate[]> {
	const found = await (argument === '' ? context.listSessions(maxOffered) : context.findSessions(argument));
	const titles = found.map(({ title }) => title.toLowerCase());
	const isShared = (title: string) => titles.indexOf(title.toLowerCase()) !== titles.lastIndexOf(title.toLowerCase());
	return found.map((session) => ({
		value: session.title === '' || isShared(session.title) ? session.id : session.title,
		label: cut(nameOf(session), nameLength),
		detail: detailOf(session, context.now())
	}));
}

export function absent(text: string): Outcome {
	return { kind: 'refused', text: `No chat has the id, the title or the words “${text}”. /list shows the newest.` };
}

function detailOf(session: Session, now: number): string {
	return `${formatWhen(session.updatedAt, now)}, ${count(session.messageCount, 'message')}`;
}
