import { answers, type AnswerRow } from './answers';
import type { TableDefinition } from './definition';

/** The unfinished answer of a second model to what the first one answers too, of which a session has one at most [Z9]; without parts one that is a message already: `leadOn`. */
export const secondAnswers = { ...answers, indexes: { 12: '' }, backup: 'keep-own' } as const satisfies TableDefinition<AnswerRow>;
