import * as v from 'valibot';
import { withSiteData } from '../shared/site-data';
import type { AnswerTail } from './answers';

const prefix = 'snug:answer:';
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const id = v.pipe(v.string(), v.nonEmpty());
const tailSchema = v.object({
	answer: v.object({
		messageId: id,
		parentId: id,
		text: v.string(),
		reasoning: v.string(),
		model: v.string(),
		startedAt: v.pipe(v.number(), v.finite()),
		leaves: v.exactOptional(id)
	}),
	textFrom: count,
	reasoningFrom: count,
	fence: count
});

/**
 * The ends of answers that the database does not have, by session, in local storage [E11]: it refused them, or their page
 * went away or lost the session before a write could end. They are merged into the journal by the next tab that writes
 * the session. Where local storage is refused or full, there are none.
 */
export class AnswerTails {
	constructor(private readonly storage: () => Storage) {}

	sessionIds(): string[] {
		const keys = withSiteData(this.storage, (storage) => Object.keys(storage)) ?? [];
		return keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
	}

	get(sessionId: string): AnswerTail | undefined {
		return withSiteData(this.storage, (storage) => {
			const text = storage.getItem(prefix + sessionId);
			return text === null ? undefined : v.parse(tailSchema, JSON.parse(text));
		});
	}

	/** One that belongs to a later fence stays. */
	put(sessionId: string, tail: AnswerTail): void {
		if ((this.get(sessionId)?.fence ?? 0) > tail.fence) return;
		withSiteData(this.storage, (storage) => storage.setItem(prefix + sessionId, JSON.stringify(tail)));
	}

	/** Hands the end that the preempted tab has left on to the tab that has raised the fence to `fence`. */
	inherit(sessionId: string, fence: number): void {
		const tail = this.get(sessionId);
		if (tail?.fence === fence - 1) this.put(sessionId, { ...tail, fence });
	}

	remove(sessionId: string): void {
		withSiteData(this.storage, (storage) => storage.removeItem(prefix + sessionId));
	}
}
