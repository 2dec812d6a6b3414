import { afterEach, expect, it } from 'vitest';
import { AnswerTails } from './answer-tails';
import type { AnswerTail } from './answers';

const answer = { messageId: 'answer', parentId: 'question', text: 'the end', reasoning: '', model: 'tiny', startedAt: 1 };
const tail: AnswerTail = { answer, textFrom: 7, reasoningFrom: 0, fence: 2 };

afterEach(() => localStorage.clear());

it('[E11] keeps one end of an answer a session, until it is removed', () => {
	const tails = new AnswerTails(() => localStorage);
	localStorage.setItem('something else', '1');
	tails.put('s', { ...tail, textFrom: 3 });
	tails.put('s', tail);
	expect(tails.sessionIds()).toEqual(['s']);
	expect(tails.get('s')).toEqual(tail);
	expect(tails.get('another')).toBeUndefined();
	tails.remove('s');
	expect([tails.sessionIds(), tails.get('s')]).toEqual([[], undefined]);
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
