import * as v from 'valibot';
import type { AnswerTail } from './answers';

const prefix = 'snug:answer:';
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const id = v.pipe(v.string(), v.nonEmpty());
const tailSchema = v.object({
	answer: v.object({ messageId: id, parentId: id, text: v.string(), reasoning: v.string(), model: v.string(), startedAt: v.pipe(v.number(), v.finite()) }),
	textFrom: count,
	reasoningFrom: count,
	fence: count
});

/**
 * The ends of answers that were being written when their page went away, by session: in local storage, since no write to
 * the database that begins then is sure to end [E11]. They are merged into the journal by the next tab that writes the
 * session. Where local storage is refused or full, there are none.
 */
export class AnswerTails {
	constructor(private readonly storage: () => Storage) {}

	sessionIds(): string[] {
		return this.attempt((storage) => Object.keys(storage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))) ?? [];
	}

	get(sessionId: string): AnswerTail | undefined {
		return this.attempt((storage) => {
			const text = storage.getItem(prefix + sessionId);
			return text === null ? undefined : v.parse(tailSchema, JSON.parse(text));
		});
	}

	put(sessionId: string, tail: AnswerTail): void {
		this.attempt((storage) => storage.setItem(prefix + sessionId, JSON.stringify(tail)));
	}

	remove(sessionId: string): void {
		this.attempt((storage) => storage.removeItem(prefix + sessionId));
	}

	private attempt<T>(work: (storage: Storage) => T): T | undefined {
		try {
			return work(this.storage());
		} catch {
			return undefined;
		}
	}
}
