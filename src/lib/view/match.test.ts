import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchOf } from './match';

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const label = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));

describe('matchOf', () => {
	it('finds an action well by what its label or its command begins with, in any case', () => {
		expect(matchOf('ren', { label: 'Rename' })).toBe('well');
		expect(matchOf('  NEW c', { label: 'New chat' })).toBe('well');
		expect(matchOf('usa', { label: 'Show the tokens', command: 'usage' })).toBe('well');
		expect(matchOf('/usa', { label: 'Show the tokens', command: 'usage' })).toBe('well');
	});

	it('finds it fairly by words within its label, in any order, and by the first letters of its words', () => {
		expect(matchOf('markdown', { label: 'Copy as Markdown' })).toBe('fairly');
		expect(matchOf('markdown copy', { label: 'Copy as Markdown' })).toBe('fairly');
		expect(matchOf('nc', { label: 'New chat' })).toBe('fairly');
	});

	it('finds it fairly by other words for it, beside those of its label', () => {
		const action = { label: 'Ask a second model', also: 'Compare answers' };
		for (const typed of ['compare', 'second answer', 'Answers']) expect(matchOf(typed, action)).toBe('fairly');
		expect(matchOf('compare chats', action)).toBeUndefined();
	});

	it('finds nothing by a letter within, by a word that is not there, or by the slash of another command', () => {
		expect(matchOf('o', { label: 'Copy as Markdown' })).toBeUndefined();
		expect(matchOf('copy html', { label: 'Copy as Markdown' })).toBeUndefined();
		expect(matchOf('/copy', { label: 'Copy as Markdown' })).toBeUndefined();
		expect(matchOf('/pin', { label: 'Unpin', command: 'unpin' })).toBeUndefined();
	});

	it('finds every action by all beginnings of its label, and by each of its words', () => {
		fc.assert(
			fc.property(label, fc.nat(), (label, cut) => {
				expect(matchOf(label.slice(0, cut % (label.length + 1)).toUpperCase(), { label })).toBe('well');
				for (const word of label.split(' ')) if (word.length > 1) expect(matchOf(word, { label })).toBeDefined();
			})
		);
	});

	it('never finds more by more letters of one word', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 3, maxLength: 6 }), label, (typed, label) => {
				fc.pre(/^\S+$/.test(typed));
				if (matchOf(typed, { label })) expect(matchOf(typed.slice(0, -1), { label })).toBeDefined();
			})
		);
	});
});
