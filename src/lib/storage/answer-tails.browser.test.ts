import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { spoken } from '../../../tests/fixtures/answers';
import { AnswerTails } from './answer-tails';
import { joinTail, type AnswerTail } from './answers';

const answer = { messageId: 'answer', parentId: 'question', parts: spoken('the end'), model: 'tiny', startedAt: 1 };
const tail: AnswerTail = { answer, partsFrom: 1, textFrom: 7, fence: 2 };

afterEach(() => localStorage.removeItem('snug:answer:s'));

it('[E11] keeps one end of an answer a session, until it is removed', () => {
	const tails = new AnswerTails(() => localStorage);
	tails.put('s', { ...tail, textFrom: 3 });
	tails.put('s', tail);
	expect(tails.sessionIds()).toContain('s');
	expect(tails.get('s')).toEqual(tail);
	expect(tails.get('another')).toBeUndefined();
	tails.remove('s');
	expect(tails.sessionIds()).not.toContain('s');
	expect(tails.get('s')).toBeUndefined();
});

it('[A5] [E11] hands an end on to the tab that has raised the fence, and puts none of the preempted tab in its place', () => {
	const tails = new AnswerTails(() => localStorage);
	tails.inherit('s', 3);
	expect(tails.get('s')).toBeUndefined();
	tails.put('s', tail);
	tails.inherit('s', 4);
	expect(tails.get('s')).toEqual(tail);
	tails.inherit('s', 3);
	tails.put('s', { ...tail, textFrom: 1 });
	expect(tails.get('s')).toEqual({ ...tail, fence: 3 });
});

it.each(['', '{', '{}', JSON.stringify({ ...tail, textFrom: -1 }), JSON.stringify({ ...tail, answer: { ...answer, parts: [1] } })])(
	'[R6] takes what it can not read for nothing: %s',
	(text) => {
		localStorage.setItem('snug:answer:s', text);
		expect(new AnswerTails(() => localStorage).get('s')).toBeUndefined();
	}
);

it('has none where the browser refuses local storage', () => {
	const tails = new AnswerTails(() => {
		throw new DOMException('', 'SecurityError');
	});
	tails.put('s', tail);
	tails.remove('s');
	expect([tails.sessionIds(), tails.get('s')]).toEqual([[], undefined]);
});

describe('an end that a tab of version 5 has left', () => {
	const { parts: _, ...begun } = answer;
	const words = fc.string({ maxLength: 8 });

	it('[E11] goes on where that tab has stopped writing, whatever was said by then', () => {
		fc.assert(
			fc.property(words, words, words, words, (thought, said, moreThought, more) => {
				// What was thought before the text went on, or the text had not begun.
				const isLate = said !== '' && moreThought !== '';
				const left = { answer: { ...begun, text: more, reasoning: moreThought }, textFrom: said.length, reasoningFrom: thought.length, fence: 2 };
				localStorage.setItem('snug:answer:s', JSON.stringify(left));
				const row = { ...begun, parts: spoken(said, thought) };
				const joined = joinTail(row, new AnswerTails(() => localStorage).get('s')!);
				const rest = isLate ? [{ type: 'reasoning' as const, text: moreThought }] : [];
				expect(joined).toEqual({ ...begun, parts: [...spoken(said + more, thought + (isLate ? '' : moreThought)), ...rest] });
			})
		);
	});
});
