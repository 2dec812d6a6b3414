import { afterEach, expect, it } from 'vitest';
import { AnswerTails } from './answer-tails';
import type { AnswerTail } from './answers';

const answer = { messageId: 'answer', parentId: 'question', text: 'the end', reasoning: '', model: 'tiny', startedAt: 1 };
const tail: AnswerTail = { answer, textFrom: 7, reasoningFrom: 0, fence: 2 };

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

it.each(['', '{', '{}', JSON.stringify({ ...tail, textFrom: -1 }), JSON.stringify({ ...tail, answer: { ...answer, text: 1 } })])(
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
