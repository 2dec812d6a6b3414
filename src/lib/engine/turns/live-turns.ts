import { grow, type UnfinishedAnswer } from '../../conversation/growing-answer';
import type { Surface } from '../../conversation/session';
import { fromPlainError, toPlainError, type PlainError } from '../../shared/plain-error';
import type { TurnEvent } from './turn';

/** The tab that writes a session, as told to the others: where it runs. */
export interface WritingTab {
	surface: Surface;
}

/** Callbacks of a tab that follows a session. */
export interface Follower {
	onWriter: (tab: WritingTab) => void;
	/** The answer that is being written, as far as it is, or that none is; comes before its further events. */
	onAnswer: (answer: UnfinishedAnswer | undefined) => void;
	onEvent: (event: TurnEvent) => void;
}

type Failed = Extract<TurnEvent, { status: 'failed' }>;

/** An event between tabs. An AppError travels as its fields, since a clone of it would be a plain Error. */
type ToldEvent = Exclude<TurnEvent, Failed> | (Omit<Failed, 'failure'> & { failure: PlainError });

type Told =
	| { type: 'ask'; sessionId: string }
	| { type: 'writer'; sessionId: string; tab: WritingTab; answer: UnfinishedAnswer | undefined }
	| { type: 'event'; sessionId: string; event: ToldEvent };

/**
 * The turns of this browser's tabs, told to each other as they happen, so that a second tab follows an answer to the
 * token [A5]. Nothing of it is stored: what is told is gone when no one listens.
 */
export class LiveTurns {
	private readonly channel: BroadcastChannel;
	private readonly answers = new Map<string, UnfinishedAnswer>();
	/** Answers of other tabs, as far as they were told here. */
	private readonly heard = new Map<string, UnfinishedAnswer>();
	private readonly writing = new Map<string, WritingTab>();
	private readonly followers = new Map<string, Set<Follower>>();

	constructor(private readonly ports: { channel: BroadcastChannel; surface: Surface }) {
		this.channel = ports.channel;
		// A page of this origin that is not Snug may tell anything.
		this.channel.onmessage = ({ data }: MessageEvent<Told | null>) => data && this.hear(data);
	}

	/** Tells the others that this tab writes the session from now on; the result tells that it does not any more. */
	writes(sessionId: string): () => void {
		const tab: WritingTab = { surface: this.ports.surface };
		this.writing.set(sessionId, tab);
		this.tell({ type: 'writer', sessionId, tab, answer: this.answers.get(sessionId) });
		return () => void (this.writing.get(sessionId) === tab && this.writing.delete(sessionId));
	}

	/** Tells the others what happens in a turn of this tab. */
	publish(sessionId: string, event: TurnEvent): void {
		note(this.answers, sessionId, event);
		this.tell({ type: 'event', sessionId, event: toTold(event) });
	}

	/** Follows what another tab does in a session. Returns what ends it. */
	follow(sessionId: string, follower: Follower): () => void {
		const all = this.followers.get(sessionId) ?? new Set();
		this.followers.set(sessionId, all.add(follower));
		this.tell({ type: 'ask', sessionId });
		return () => {
			all.delete(follower);
			if (all.size > 0) return;
			this.followers.delete(sessionId);
			this.heard.delete(sessionId);
		};
	}

	/** Returns what was heard of an answer whose end was not: the tab that wrote it may be gone. */
	seen(sessionId: string): UnfinishedAnswer | undefined {
		return this.heard.get(sessionId);
	}

	private hear(told: Told): void {
		if (told.type === 'ask') {
			const tab = this.writing.get(told.sessionId);
			if (tab) this.tell({ type: 'writer', sessionId: told.sessionId, tab, answer: this.answers.get(told.sessionId) });
			return;
		}
		const followers = this.followers.get(told.sessionId);
		if (!followers) return;
		if (told.type === 'event') note(this.heard, told.sessionId, fromTold(told.event));
		else if (told.answer) this.heard.set(told.sessionId, told.answer);
		else this.heard.delete(told.sessionId);
		for (const follower of followers) {
			if (told.type === 'event') follower.onEvent(fromTold(told.event));
			else {
				follower.onWriter(told.tab);
				follower.onAnswer(told.answer);
			}
		}
	}

	private tell(told: Told): void {
		this.channel.postMessage(told);
	}
}

/** Adds an event to what is known of the answer that it belongs to. */
function note(answers: Map<string, UnfinishedAnswer>, sessionId: string, event: TurnEvent): void {
	const answer = event.type === 'step-end' || event.type === 'result' || event.type === 'turn-end' ? undefined : grow(answers.get(sessionId), event);
	if (answer) answers.set(sessionId, answer);
	else answers.delete(sessionId);
}

function toTold(event: TurnEvent): ToldEvent {
	if (event.type !== 'turn-end' || event.status !== 'failed') return event;
	return { ...event, failure: toPlainError(event.failure) };
}

function fromTold(event: ToldEvent): TurnEvent {
	if (event.type !== 'turn-end' || event.status !== 'failed') return event;
	return { ...event, failure: fromPlainError(event.failure) };
}
