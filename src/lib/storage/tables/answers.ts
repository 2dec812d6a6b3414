import * as v from 'valibot';
import type { TableDefinition } from './definition';
import { id, text, time } from './fields';

export const unfinishedAnswer = v.object({
	messageId: id,
	parentId: id,
	text,
	reasoning: text,
	model: text,
	startedAt: time,
	/** The head that the session left for it, where that was not what it answers: there it goes back when the answer is discarded. */
	leaves: v.exactOptional(id)
});

/** An answer that is not whole yet: the id that its message will have, under which message, what has streamed so far, by whom. */
export type UnfinishedAnswer = v.InferOutput<typeof unfinishedAnswer>;

const answer = v.object({ sessionId: id, ...unfinishedAnswer.entries });

/** The unfinished answer of a session, of which it has one at most [E11]. */
export type AnswerRow = v.InferOutput<typeof answer>;

export const answers = {
	schema: answer,
	key: 'sessionId',
	indexes: { 5: '' },
	scope: 'session',
	purge: 'last-and-alone',
	backup: 'conversation'
} as const satisfies TableDefinition<AnswerRow>;
