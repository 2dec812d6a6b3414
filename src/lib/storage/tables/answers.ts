import * as v from 'valibot';
import type { UnfinishedAnswer } from '../../conversation/growing-answer';
import type { Assert, Same, TableDefinition } from './definition';
import { id, text, time } from './fields';
import { answerPart } from './messages';

export const unfinishedAnswer = v.object({
	messageId: id,
	parentId: id,
	parts: v.array(answerPart),
	model: text,
	startedAt: time,
	leaves: v.exactOptional(id)
});

type _AnswerAgrees = Assert<Same<v.InferOutput<typeof unfinishedAnswer>, UnfinishedAnswer>>;

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
