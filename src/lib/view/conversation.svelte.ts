import { app } from '../app';
import { conversations } from '../app/conversations';
import type { UnfinishedAnswer } from '../conversation/growing-answer';
import { AppError } from '../shared/app-error';
import type { Whereabouts } from '../storage/messages';
import { toStorageError } from '../storage/storage-failure';
import type { ConversationRows, Excerpt, UnfinishedRows } from '../storage/transcript-rows';
import type { Marker } from './find.svelte';
import { Live } from './live.svelte';
import type { Look } from './look.svelte';
import { readingPlaceOf, type ReadingPlace } from './reading-places';

/** Number of messages that are read at first, and how many more at a time on the way up or down. */
const pageSize = 200;

/** The most messages that are read at a time: beyond that, those at the other end are let go of. */
const maxRead = 600;

/** Time for which a message stays marked that was gone to by its address alone. */
const markedMilliseconds = 4000;

/** The place that the reader is to be brought to as soon as it is drawn: to a message, to the start, or to the end. Another object each time. */
export interface Goal {
	start?: true;
	messageId?: string;
	/** The distance of the message from the upper edge of the window, in pixels, where one was reading it before. */
	top?: number;
}

/** Rows, and the part of the session that was asked for. */
interface ExcerptRows extends ConversationRows {
	excerpt: Excerpt;
}

/**
 * One session as the transcript draws it: a stretch of its path, at its end, at its beginning after `showStart`, or around a
 * message that was gone to. `session` is undefined when it is absent. `cutOff` says that its row claims a running turn which no
 * tab is running: the tab that ran it was closed.
 */
export class Conversation {
	private excerpt = $state.raw<Excerpt>({ from: 'newest', limit: pageSize });
	private rows = $state.raw<Live<ExcerptRows, ExcerptRows & { cutOff: boolean }> | undefined>();
	private readonly answer: Live<UnfinishedRows>;
	/** The unfinished answer as it was last told. */
	private told: UnfinishedAnswer | undefined;
	private look: Look | undefined;
	/** The message that the excerpt was chosen for: on a path without it, that part means nothing. */
	private anchor: string | undefined;

	/** Id that the address named as the end, if there is no such message in the session. */
	missing = $state.raw<string | undefined>();
	/** True if the message that was to be shown is not in the session. */
	lost = $state.raw(false);
	/** The message that was gone to, while it is to stand out. */
	found = $state.raw<string | undefined>();
	goal = $state.raw<Goal>({});
	/** Finds the words that are looked for, while some are. */
	marker = $state.raw<Marker | undefined>();

	/** Reads it from where one left it, or else at its end, unless the look asks for something. */
	constructor(
		readonly id: string,
		look: Look = {}
	) {
		this.answer = new Live(() => conversations.unfinishedAnswer(id));
		const place = look.query === undefined ? readingPlaceOf(id) : undefined;
		if (look.at !== undefined || look.messageId !== undefined) void this.goTo(look);
		else if (place) void this.returnTo(place, look);
		else {
			this.look = look;
			this.read(this.excerpt);
		}
	}

	get loading() {
		return this.rows?.loading ?? true;
	}
	get failure() {
		return this.rows?.failure;
	}
	/** True if there is no such session. */
	get absent() {
		return !this.loading && !this.failure && !this.session;
	}
	get session() {
		return this.rows?.current?.session;
	}
	get tree() {
		return this.rows?.current?.tree;
	}
	/** The last message of the active path, whichever path is read. */
	get headId() {
		return this.rows?.current?.headId;
	}
	get messages() {
		return this.rows?.current?.path ?? [];
	}
	/**
	 * The answer that is not a message yet. Once it has become one it stays until the rows with that message are here: in between
	 * it would be nowhere.
	 */
	get unfinished(): UnfinishedAnswer | undefined {
		const { answer, messageCount = 0 } = this.answer.current ?? {};
		if (messageCount <= (this.session?.messageCount ?? 0)) this.told = answer;
		return this.told;
	}
	get cutOff() {
		return this.rows?.current?.cutOff ?? false;
	}

	/** The message up to which the session is read; undefined where that is the head. */
	get at(): string | undefined {
		const { at } = this.excerpt;
		return at !== undefined && this.rows?.current?.end?.id === at ? at : undefined;
	}

	/** True if a branch is read to its end that is not the one where the user is. */
	get inOtherBranch(): boolean {
		return this.at !== undefined && this.at !== this.headId && this.tree?.tips.some(({ id }) => id === this.at) === true;
	}

	/** True if something follows the head, so that what is sent next begins a branch; not while another answer to it comes. */
	get isBeforeOthers(): boolean {
		return this.headId !== undefined && this.tree !== undefined && !this.unfinished && !this.tree.tips.some(({ id }) => id === this.headId);
	}

	/** All versions of a message, itself among them, in order of sending; none where there is only this one. */
	siblingsOf(messageId: string): string[] {
		return this.rows?.current?.siblings.get(messageId) ?? [];
	}

	/** True if there are older messages, above the ones that were read. */
	get hasEarlier() {
		return (this.messages[0]?.depth ?? 0) > 0;
	}

	/** True if the newest message of the path is among the ones that were read. */
	get reachesEnd() {
		return this.messages.at(-1)?.id === this.rows?.current?.end?.id;
	}

	/** True if every message of every branch is among the ones that were read. */
	get whole() {
		const [tip, ...others] = this.tree?.tips ?? [];
		return !this.hasEarlier && others.length === 0 && this.messages.at(-1)?.id === tip?.id;
	}

	/** True while another part of it is being read than the one that is shown. */
	private get isReading() {
		return this.rows?.current?.excerpt !== this.excerpt;
	}

	/** Reads what comes before, unless something is being read. */
	showEarlier(): void {
		if (this.isReading) return;
		const { messages } = this;
		const { depth = 0, id } = messages[0] ?? {};
		const offset = Math.max(0, depth - pageSize);
		const limit = messages.length + depth - offset;
		const { from, at } = this.excerpt;
		if (from === 'newest' && limit <= maxRead) return this.read({ from, limit, at });
		this.anchor = offset > 0 ? id : undefined;
		this.read({ from: 'oldest', offset, limit: Math.min(limit, maxRead), at });
	}

	/** Shows the beginning [E15]; `showLater` goes on from there, `showEnd` returns. */
	showStart(): void {
		if (this.hasEarlier) {
			this.anchor = undefined;
			this.read({ from: 'oldest', limit: pageSize, at: this.excerpt.at });
		}
		this.goal = { start: true };
	}

	/** Reads what comes after, unless something is being read. */
	showLater(): void {
		if (this.isReading) return;
		const { messages, rows } = this;
		const [first, last] = [messages[0], messages.at(-1)];
		if (!first || !last) return;
		const next = last.depth + pageSize;
		const offset = Math.max(first.depth, next + 1 - maxRead);
		const { at } = this.excerpt;
		const end = rows?.current?.end?.depth ?? 0;
		const reachesEnd = end <= next;
		this.anchor = reachesEnd || offset === 0 ? undefined : last.id;
		// From the end on, what is said next belongs to it.
		if (reachesEnd) this.read({ from: 'newest', limit: Math.max(pageSize, end - offset + 1), at });
		else this.read({ from: 'oldest', offset, limit: next + 1 - offset, at });
	}

	showEnd(): void {
		if (this.reachesEnd) this.goal = {};
		else this.readToEnd(this.excerpt.at);
	}

	/** Goes to a message if it is drawn; false if it is not. */
	goToDrawn(messageId: string): boolean {
		if (!this.messages.some(({ id }) => id === messageId)) return false;
		this.goal = { messageId };
		return true;
	}

	/** Shows what the address asks for. What asks for nothing else leaves the reader where they are. */
	async goTo(look: Look): Promise<void> {
		if (look === this.look) return;
		this.look = look;
		const { end, place } = await this.locate(look).catch(nowhereIfRefused);
		if (this.look !== look) return;
		this.missing = end === undefined ? look.at : undefined;
		this.lost = look.messageId !== undefined && !place;
		this.found = place && look.messageId;
		if (place) this.show({ messageId: look.messageId! }, place);
		else if (!this.rows || end !== this.excerpt.at) this.readToEnd(end);
		if (look.query === undefined) setTimeout(() => this.look === look && (this.found = undefined), markedMilliseconds);
	}

	private async locate({ at, messageId }: Look): Promise<{ end?: string | undefined; place?: Whereabouts | undefined }> {
		const end = at === undefined || at === this.excerpt.at ? at : (await conversations.findNode(this.id, at))?.id;
		if (messageId === undefined) return { end };
		const place = await conversations.messages.whereIs(this.id, messageId, end ?? this.excerpt.at);
		return { end, place };
	}

	/** Shows a message where one was reading it, unless the session has gone to another branch since. */
	private async returnTo({ messageId, top }: ReadingPlace, look: Look): Promise<void> {
		this.look = look;
		const { place } = await this.locate({ messageId }).catch(nowhereIfRefused);
		if (this.look !== look) return;
		if (place && place.at === undefined) this.show({ messageId, top }, place);
		else this.readToEnd(undefined);
	}

	private show(goal: { messageId: string; top?: number }, { depth, end, at }: Whereabouts): void {
		const { messageId } = goal;
		const drawn = at === this.excerpt.at && this.messages.some(({ id }) => id === messageId);
		if (!drawn) {
			const offset = Math.max(0, depth - pageSize / 2);
			const isNearEnd = end.depth - offset < pageSize;
			this.anchor = isNearEnd ? undefined : messageId;
			this.read(isNearEnd ? { from: 'newest', limit: pageSize, at } : { from: 'oldest', offset, limit: pageSize, at });
		}
		this.goal = goal;
	}

	private readToEnd(at: string | undefined): void {
		this.anchor = undefined;
		this.read({ from: 'newest', limit: pageSize, at });
		this.goal = {};
	}

	private read(excerpt: Excerpt): void {
		this.excerpt = excerpt;
		const query = async () => ({ ...(await conversations.read(this.id, excerpt)), excerpt });
		if (this.rows) this.rows.ask(query);
		else this.rows = new Live(query, (rows) => this.settle(rows));
	}

	private settle(rows: ExcerptRows): Promise<ExcerptRows & { cutOff: boolean }> {
		const { anchor } = this;
		if (anchor !== undefined && rows.path.every(({ id }) => id !== anchor)) this.readToEnd(this.excerpt.at);
		return withCutOff(rows);
	}
}

/** Finds nothing where nothing can be read; reading the rows fails as well, and says why. */
function nowhereIfRefused(error: unknown): { end?: undefined; place?: undefined } {
	const failure = toStorageError(error);
	if (!(failure instanceof AppError)) throw failure;
	return {};
}

async function withCutOff(rows: ExcerptRows): Promise<ExcerptRows & { cutOff: boolean }> {
	const { session } = rows;
	return { ...rows, cutOff: session?.status === 'running' && !(await app.answering()).includes(session.id) };
}
