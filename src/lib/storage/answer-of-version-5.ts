import { grow, type AnswerEvent, type UnfinishedAnswer } from '../conversation/growing-answer';

type Begun = Omit<UnfinishedAnswer, 'parts'>;

/** An unfinished answer as versions 2 to 5 had it: as one text, and one of what was thought before it. */
export type AnswerOfVersion5 = Begun & { text: string; reasoning: string };

/** Returns an answer of version 5 or before, or its row, as it is now. */
export function withParts({ text, reasoning, ...begun }: AnswerOfVersion5): UnfinishedAnswer {
	return { ...begun, parts: partsOf(begun, [{ type: 'reasoning-delta', text: reasoning }, { type: 'text-delta', text }]) };
}

/** Returns the parts that words become which come in this order. */
export function partsOf(begun: Begun, words: AnswerEvent[]): UnfinishedAnswer['parts'] {
	return words.reduce<UnfinishedAnswer>((answer, delta) => grow(answer, delta), { ...begun, parts: [] }).parts;
}
