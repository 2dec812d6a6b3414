import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, conversations, gives, pathOf, says } from '../../../tests/fixtures/conversations';
import type { Part, Role } from '../conversation/message';
import { unitsOf } from './units';

const path = (...said: [Role, ...Part[]][]) => pathOf(said.map(([role, ...parts]) => ({ role, parts })));

const spans = (...said: [Role, ...Part[]][]) => unitsOf(path(...said)).map(({ start, end }) => [start, end]);

describe('the units of a path', () => {
	it('[A9] a call and its result are one, calls side by side with all their results, any other message is one by itself', () => {
		expect(
			spans(
				['user', says('Look')],
				['assistant', says('I look'), calls('a'), calls('b')],
				['tool', gives('b', 1)],
				['tool', gives('a', 2)],
				['assistant', calls('a')],
				['tool', gives('a', 3)],
				['assistant', says('Done')],
				['user', says('Thanks')],
				['user', says('Bye')]
			)
		).toEqual([[0, 1], [1, 4], [4, 6], [6, 7], [7, 8], [8, 9]]);
	});

	it('[A9] a call without its result is not sent, nor a result without its call, but what was said beside them is', () => {
		const said = path(
			['assistant', says('I look'), calls('a'), calls('b')],
			['tool', gives('b', 1), gives('c', 2)],
			['user', says('And?')],
			['tool', gives('a', 3)],
			['assistant', { type: 'reasoning', text: 'Hm' }, calls('d')],
			['user', says('So?')]
		);
		expect(unitsOf(said)).toMatchObject([
			{ start: 0, end: 2, whole: false, sendable: [[says('I look'), calls('b')], [gives('b', 1)]] },
			{ start: 2, end: 3, whole: true },
			{ start: 3, end: 4, whole: false, sendable: [undefined] },
			{ start: 4, end: 5, whole: false, sendable: [undefined] },
			{ start: 5, end: 6, whole: true }
		]);
	});

	it('[A9] where a result was redacted, its call is not sent either', () => {
		const said = path(['assistant', says('I look'), calls('a')], ['tool', { type: 'redacted', at: 1 }]);
		expect(unitsOf(said)).toEqual([{ start: 0, end: 2, whole: false, sendable: [[says('I look')], undefined] }]);
	});

	it('what follows a gap is no part of a unit before it', () => {
		const steps = path(['assistant', calls('a')], ['tool', gives('a', 1)], ['assistant', calls('a')], ['tool', gives('a', 2)]);
		expect(unitsOf([steps[0]!, steps[3]!])).toMatchObject([{ whole: false }, { whole: false }]);
	});

	it('cover the path without gaps, and every call that can be sent has one result right after it', () => {
		fc.assert(
			fc.property(conversations, (messages) => {
				const units = unitsOf(messages);
				expect(units.flatMap(({ start, end }) => messages.slice(start, end))).toEqual(messages);
				for (const { start, end, whole, sendable } of units) {
					const parts = sendable.flatMap((all) => all ?? []);
					const called = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
					const given = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
					expect(given.toSorted()).toEqual(called.toSorted());
					expect(new Set(called).size).toBe(called.length);
					expect(whole).toBe(parts.length === messages.slice(start, end).flatMap((message) => message.parts).length);
				}
			})
		);
	});
});
