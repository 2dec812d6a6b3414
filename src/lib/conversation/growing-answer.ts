import type { Part, Signature } from './message';

/** The parts that an answer is made of while it grows. */
export type AnswerPart = Extract<Part, { type: 'text' | 'reasoning' | 'tool-call' | 'tool-result' }>;

/** An answer that is not whole yet: the id that its message will have, under which message, what has come so far, by whom. */
export interface UnfinishedAnswer {
	messageId: string;
	parentId: string;
	parts: AnswerPart[];
	model: string;
	startedAt: number;
	/** The head that the session left for it, where that was not what it answers: there it goes back when the answer is discarded. */
	leaves?: string;
}

/** The beginning of an answer. */
export type StepStart = { type: 'step-start' } & Omit<UnfinishedAnswer, 'parts'>;

/** Something that happens to an answer while it grows, in order. A call and a result come whole, as the parts that they become. A signature is of the words before it. */
export type AnswerEvent =
	| StepStart
	| { type: 'text-delta'; text: string }
	| { type: 'reasoning-delta'; text: string }
	| { type: 'signature'; of: Words['type']; signature: Signature }
	| Extract<AnswerPart, { type: 'tool-call' | 'tool-result' }>;

/** Number of parts that an answer has at most: a model that reasons between any two words would make one for each. */
const maxParts = 1000;

/**
 * Returns the answer with what an event adds to it; undefined where none has begun. It is the only way in which text, reasoning, calls
 * and results become parts: words go to the last part if they are of its kind, anything else is a part of its own. Reasoning that is signed is
 * whole: what follows is another part. Parts before the last one stay the same objects, but where there are too many: then words go to the last
 * part of their kind.
 */
export function grow(answer: UnfinishedAnswer | undefined, event: StepStart): UnfinishedAnswer;
export function grow(answer: UnfinishedAnswer, event: AnswerEvent): UnfinishedAnswer;
export function grow(answer: UnfinishedAnswer | undefined, event: AnswerEvent): UnfinishedAnswer | undefined;
export function grow(answer: UnfinishedAnswer | undefined, event: AnswerEvent): UnfinishedAnswer | undefined {
	if (event.type !== 'step-start') return answer && { ...answer, parts: partsWith(answer.parts, event) };
	const { type: _, ...begun } = event;
	return { ...begun, parts: [] };
}

/** Tells whether nothing has come of an answer yet, or thoughts without words alone. */
export function saysNothing(parts: readonly AnswerPart[]): boolean {
	return parts.every((part) => 'text' in part && part.text === '');
}

function partsWith(parts: AnswerPart[], event: Exclude<AnswerEvent, StepStart>): AnswerPart[] {
	switch (event.type) {
		case 'text-delta':
			return withWords(parts, { type: 'text', text: event.text });
		case 'reasoning-delta':
			return withWords(parts, { type: 'reasoning', text: event.text });
		case 'signature':
			return withSignature(parts, event);
		case 'tool-call':
		case 'tool-result':
			return [...parts, event];
	}
}

type Words = Extract<AnswerPart, { text: string }>;

function withWords(parts: AnswerPart[], words: Words): AnswerPart[] {
	if (words.text === '') return parts;
	const isOpen = (part: AnswerPart | undefined): part is Words => part?.type === words.type && !isWhole(part);
	const at = parts.length < maxParts ? parts.length - 1 : parts.findLastIndex(isOpen);
	const open = parts[at];
	return isOpen(open) ? parts.with(at, { ...open, text: open.text + words.text }) : [...parts, words];
}

/** Some thoughts have no words that are told, but are signed. Where there are too many parts the last one stays open, for the words that come. */
function withSignature(parts: AnswerPart[], { of, signature }: { of: Words['type']; signature: Signature }): AnswerPart[] {
	if (parts.length >= maxParts) return parts;
	const last = parts.at(-1);
	if (last?.type === of && !isWhole(last)) return parts.with(-1, { ...last, signature });
	return of === 'reasoning' ? [...parts, { type: of, text: '', signature }] : parts;
}

function isWhole(part: Words): boolean {
	return part.type === 'reasoning' && part.signature !== undefined;
}
