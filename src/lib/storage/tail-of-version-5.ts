import { partsOf, type AnswerOfVersion5 } from './answer-of-version-5';
import type { AnswerTail } from './answers';

/** The end of an answer as a tab of version 5 leaves it: what was said after `textFrom` characters of its text, and so on. */
interface TailOfVersion5 {
	answer: AnswerOfVersion5;
	textFrom: number;
	reasoningFrom: number;
	fence: number;
}

/** Returns an end of an answer as it is now, where the row has become one of parts meanwhile: what was thought, and then the text. */
export function tailWithParts({ answer, textFrom, reasoningFrom, fence }: TailOfVersion5): AnswerTail {
	const { text, reasoning, ...begun } = answer;
	const [said, thought] = [{ type: 'text-delta' as const, text }, { type: 'reasoning-delta' as const, text: reasoning }];
	const parts = partsOf(begun, textFrom > 0 ? [said, thought] : [thought, said]);
	const last = { type: textFrom > 0 ? 'text' : 'reasoning', index: textFrom > 0 && reasoningFrom > 0 ? 1 : 0, length: textFrom || reasoningFrom };
	const goesOn = last.length > 0 && parts[0]?.type === last.type;
	return { answer: { ...begun, parts }, partsFrom: last.length > 0 && !goesOn ? last.index + 1 : last.index, textFrom: goesOn ? last.length : 0, fence };
}
