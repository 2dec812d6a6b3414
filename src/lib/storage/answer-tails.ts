import * as v from 'valibot';
import { withSiteData } from '../shared/site-data';
import type { AnswerTail } from './answers';
import { unfinishedAnswer } from './tables/answers';
import { count, text } from './tables/fields';
import { tailWithParts } from './tail-of-version-5';

const prefix = 'snug:answer:';
const tailSchema = v.object({ answer: unfinishedAnswer, partsFrom: count, textFrom: count, fence: count });

const { parts: _, ...begun } = unfinishedAnswer.entries;
const tailOfVersion5 = v.object({ answer: v.object({ ...begun, text, reasoning: text }), textFrom: count, reasoningFrom: count, fence: count });

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
			const stored = storage.getItem(prefix + sessionId);
			if (stored === null) return undefined;
			const tail = v.parse(v.union([tailSchema, tailOfVersion5]), JSON.parse(stored));
			return 'reasoningFrom' in tail ? tailWithParts(tail) : tail;
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
