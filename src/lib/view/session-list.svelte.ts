import { app } from '../app';
import { findSessions } from '../app/find-sessions';
import { groupsOf } from '../app/session-groups';
import { homeWorkspace, type Session } from '../conversation/session';
import type { AppError } from '../shared/app-error';
import { windowAround, type RowWindow } from '../shared/row-window';
import type { SessionGroup } from '../storage/session-groups';
import type { SessionFilter } from '../storage/sessions';
import { Live } from './live.svelte';

/** The part of a list that is read: the number of rows in all, and those of one window, as they were at one moment. */
interface Stretch {
	count: number;
	offset: number;
	rows: Session[];
	/** The headings, in a list that has any. */
	groups: SessionGroup[];
}

interface Question {
	filter: SessionFilter;
	/** Text of the search; unless it is '', only the few sessions that it can mean are listed [E4]. */
	text: string;
	window: RowWindow;
}

/**
 * The list of sessions, however long: its length, and the rows around the ones that are drawn. The window is one query,
 * so that no session is in it twice while rows change places.
 */
export class SessionList {
	private wanted = windowAround(0, 0);
	private question = $state.raw<Question>({ filter: {}, text: '', window: this.wanted });
	private soon: ReturnType<typeof setTimeout> | undefined;
	private readonly live: Live<Stretch>;

	/** `grouped`: with the headings that rows stand under. */
	constructor(private readonly options: { grouped?: boolean } = {}) {
		const first = this.question;
		this.live = new Live(
			() => this.read(first),
			async (stretch) => ({ ...stretch, rows: await asTheyStand(stretch.rows) })
		);
	}

	/** Undefined while loading. */
	get count(): number | undefined {
		return this.live.current?.count;
	}

	/** The headings in their order, each with the number of rows under it. */
	get groups(): SessionGroup[] {
		return this.live.current?.groups ?? [];
	}

	get failure(): AppError | undefined {
		return this.live.failure;
	}

	get filter(): SessionFilter {
		return this.question.filter;
	}

	get text(): string {
		return this.question.text;
	}

	/** The session of a row; undefined until it is read. */
	at(index: number): Session | undefined {
		return this.known[index - (this.live.current?.offset ?? 0)];
	}

	/** The sessions that are read: those in view, and some around them. */
	get known(): Session[] {
		return this.live.current?.rows ?? [];
	}

	/** Reads what is needed to draw the rows from `first` to `last`, soon: scrolling far asks a few times, not at every frame. */
	show(first: number, last: number): void {
		this.wanted = windowAround(first, last);
		this.soon ??= setTimeout(() => {
			this.soon = undefined;
			const { offset, limit } = this.question.window;
			if (this.wanted.offset !== offset || this.wanted.limit !== limit) this.ask({ ...this.question, window: this.wanted });
		}, 60);
	}

	/** Lists only sessions of that workspace and that surface, where they are given [E10], and of archived ones none or only these. */
	narrow(filter: SessionFilter): void {
		this.ask({ ...this.question, filter, window: (this.wanted = windowAround(0, 0)) });
	}

	/** Lists only sessions that the words can mean, archived ones too. */
	search(text: string): void {
		this.ask({ ...this.question, text: text.trim(), window: (this.wanted = windowAround(0, 0)) });
	}

	/** The ids of the rows from `first` to `last`, of all rows if neither is given, also of those that are not read. */
	async ids(first = 0, last = Infinity): Promise<string[]> {
		const { rows } = await this.read({ ...this.question, window: { offset: first, limit: last - first + 1 } });
		return rows.slice(0, last - first + 1).map(({ id }) => id);
	}

	/** Reads it again: another day has other headings. */
	refresh(): void {
		this.ask(this.question);
	}

	private ask(question: Question): void {
		this.question = question;
		this.live.ask(() => this.read(question));
	}

	private async read({ filter, text, window }: Question): Promise<Stretch> {
		if (text === '') {
			const [count, rows, groups] = await Promise.all([
				app.sessions.count(filter),
				app.sessions.list({ ...filter, ...window }),
				this.options.grouped ? groupsOf(filter) : []
			]);
			return { count, offset: window.offset, rows, groups };
		}
		const rows = (await findSessions(text)).filter(
			({ workspace, surface, archived }) =>
				workspace === (filter.workspace ?? workspace) && surface === (filter.surface ?? surface) && (archived === 1 || !filter.archived)
		);
		return { count: rows.length, offset: 0, rows, groups: [] };
	}
}

/** A turn that no tab runs any more was interrupted, whatever its row says. */
async function asTheyStand(rows: Session[]): Promise<Session[]> {
	if (rows.every(({ status }) => status !== 'running')) return rows;
	const answering = await app.answering();
	return rows.map((row) => (row.status === 'running' && !answering.includes(row.id) ? { ...row, status: 'interrupted' } : row));
}

/** The list at the side. It keeps its filter while the page is open. */
export const sidebarList = new SessionList({ grouped: true });

/** The few sessions at the top of the list. */
export const newestFew = new Live(() => app.sessions.list({ limit: 5 }));

/** One session's row as it changes. */
export function sessionRow(id: string): Live<Session | undefined> {
	return new Live(
		() => app.sessions.get(id),
		async (row) => row && (await asTheyStand([row]))[0]
	);
}

/** A workspace as people read it. */
export function workspaceLabel(workspace: string): string {
	return workspace === homeWorkspace ? 'No workspace' : workspace;
}

/** Names the surface of a session for users [E8]; an import's surface has its own name [E10]. */
export function surfaceLabel(surface: string): string {
	return { web: 'Browser', pwa: 'Installed app' }[surface] ?? surface;
}
