import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endSince, joinEnd, lengthOf } from './answer-end';
import { grow, type AnswerEvent, type AnswerPart, type UnfinishedAnswer } from './growing-answer';

const begun = { messageId: 'm', parentId: 'p', model: 'tiny', startedAt: 1 };

const text = fc.string({ minLength: 1 }).map((text): AnswerEvent => ({ type: 'text-delta', text }));
const reasoning = fc.string({ minLength: 1 }).map((text): AnswerEvent => ({ type: 'reasoning-delta', text }));
const call = fc.record({ type: fc.constant('tool-call' as const), toolCallId: fc.string(), toolName: fc.string(), input: fc.jsonValue() });
const result = fc.record({
	type: fc.constant('tool-result' as const),
	toolCallId: fc.string(),
	toolName: fc.string(),
	output: fc.jsonValue(),
	isError: fc.boolean()
});
const signature = fc.record({ type: fc.constant('signature' as const), of: fc.constantFrom('text' as const, 'reasoning' as const), signature: fc.constant({ maker: { sig: 'c2ln' } }) });
const unsigned = fc.oneof({ weight: 3, arbitrary: text }, { weight: 2, arbitrary: reasoning }, call, result);
const events = fc.array(unsigned, { maxLength: 40 });
const signedEvents = fc.array(fc.oneof({ weight: 4, arbitrary: unsigned }, signature), { maxLength: 40 });

/** The states that an answer goes through. */
function statesOf(all: AnswerEvent[]): UnfinishedAnswer[] {
	const states = [grow(undefined, { type: 'step-start', ...begun })];
	for (const event of all) states.push(grow(states.at(-1)!, event));
	return states;
}

const partsOf = (all: AnswerEvent[]) => statesOf(all).at(-1)!.parts;

/** Returns the text of events or of parts. */
const saidBy = (all: (AnswerEvent | AnswerPart)[]) =>
	all.map((one) => ('text' in one ? [...one.text].map((character) => [one.type.replace('-delta', ''), character]) : [[one]])).flat();

/** Cuts each delta at any places. */
const cut = (all: AnswerEvent[], at: number[]): AnswerEvent[] =>
	all.flatMap((event, index): AnswerEvent[] => {
		if (!('text' in event)) return [event];
		const place = (at[index % at.length] ?? 0) % (event.text.length + 1);
		return [{ ...event, text: event.text.slice(0, place) }, { ...event, text: event.text.slice(place) }];
	});

describe('grow', () => {
	it('begins an answer, and makes parts of what comes', () => {
		expect(grow(undefined, { type: 'step-start', ...begun, leaves: 'l' })).toEqual({ ...begun, leaves: 'l', parts: [] });
		const called = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'search', input: { query: 'tea' } };
		const found = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'search', output: 'Green.', isError: false };
		const all: AnswerEvent[] = [
			{ type: 'reasoning-delta', text: 'Hm' },
			{ type: 'reasoning-delta', text: '.' },
			{ type: 'text-delta', text: 'Let me ' },
			{ type: 'text-delta', text: '' },
			{ type: 'text-delta', text: 'look.' },
			called,
			found,
			{ type: 'text-delta', text: 'Green.' }
		];
		expect(partsOf(all)).toEqual([
			{ type: 'reasoning', text: 'Hm.' },
			{ type: 'text', text: 'Let me look.' },
			called,
			found,
			{ type: 'text', text: 'Green.' }
		]);
	});

	it('signs the words before, so that two thoughts that are signed stay two, also where one has no words', () => {
		const sign = (of: 'text' | 'reasoning', sig: string): AnswerEvent => ({ type: 'signature', of, signature: { maker: { sig } } });
		const signed = (sig: string) => ({ signature: { maker: { sig } } });
		const all: AnswerEvent[] = [
			sign('text', 'of nothing'),
			{ type: 'reasoning-delta', text: 'Hm' },
			{ type: 'reasoning-delta', text: '.' },
			sign('reasoning', '1'),
			{ type: 'reasoning-delta', text: 'Oh.' },
			sign('reasoning', '2'),
			sign('reasoning', '3'),
			{ type: 'text-delta', text: 'Fi' },
			sign('text', '4'),
			{ type: 'text-delta', text: 'ne.' },
			sign('reasoning', '5')
		];
		expect(partsOf(all)).toEqual([
			{ type: 'reasoning', text: 'Hm.', ...signed('1') },
			{ type: 'reasoning', text: 'Oh.', ...signed('2') },
			{ type: 'reasoning', text: '', ...signed('3') },
			{ type: 'text', text: 'Fine.', ...signed('4') },
			{ type: 'reasoning', text: '', ...signed('5') }
		]);
	});

	it('makes nothing of what belongs to no answer', () => {
		for (const event of fc.sample(fc.oneof(text, reasoning, call, result), 20)) expect(grow(undefined, event)).toBeUndefined();
	});

	it('starts over with each step', () => {
		fc.assert(
			fc.property(events, (all) => {
				expect(grow(statesOf(all).at(-1), { type: 'step-start', ...begun })).toEqual({ ...begun, parts: [] });
			})
		);
	});

	it('makes the same parts wherever the deltas are split', () => {
		fc.assert(
			fc.property(events, fc.array(fc.nat(), { minLength: 1 }), (all, at) => {
				expect(partsOf(cut(all, at))).toEqual(partsOf(all));
			})
		);
	});

	it('keeps the order of events, and makes no empty part, nor two of words of one kind in a row', () => {
		fc.assert(
			fc.property(events, (all) => {
				const parts = partsOf(all);
				expect(saidBy(parts)).toEqual(saidBy(all));
				expect(parts.some((part) => 'text' in part && part.text === '')).toBe(false);
				expect(parts.some((part, index) => 'text' in part && part.type === parts[index + 1]?.type)).toBe(false);
			})
		);
	});

	it('never changes an earlier state, nor a part before the last', () => {
		fc.assert(
			fc.property(signedEvents, (all) => {
				const states = statesOf(all);
				const copies = structuredClone(states);
				states.reduce((before, after) => {
					before.parts.slice(0, -1).forEach((part, index) => expect(after.parts[index]).toBe(part));
					expect(lengthOf(after.parts)).toBeGreaterThanOrEqual(lengthOf(before.parts));
					return after;
				});
				expect(states).toEqual(copies);
			})
		);
	});

	it('[P8] loses no word of a model that changes its kind with each, and makes no more parts than can be drawn', () => {
		const words = Array.from({ length: 5000 }, (_, index): AnswerEvent => ({ type: index % 2 ? 'text-delta' : 'reasoning-delta', text: `${index} ` }));
		const parts = partsOf(words);
		expect(parts).toHaveLength(1000);
		const said = (type: string, all: (AnswerEvent | AnswerPart)[]) => all.map((one) => ('text' in one && one.type.startsWith(type) ? one.text : '')).join('');
		for (const type of ['text', 'reasoning']) expect(said(type, parts)).toBe(said(type, words));
	});
});

describe('the end of an answer', () => {
	it('[P8] makes no more parts of thoughts that are each signed than can be drawn, and loses no word of them', () => {
		const thought: AnswerEvent[] = [{ type: 'reasoning-delta', text: 'hm' }, { type: 'signature', of: 'reasoning', signature: { maker: { sig: 'c2ln' } } }, { type: 'text-delta', text: 'ok' }];
		const parts = statesOf(Array.from({ length: 3000 }, () => thought).flat()).at(-1)!.parts;
		expect(parts.length).toBeLessThanOrEqual(1001);
		for (const [type, word] of [['reasoning', 'hm'], ['text', 'ok']]) expect(parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')).toBe(word!.repeat(3000));
	});

	it('[E11] joins what was there before to the whole, from any state on', () => {
		fc.assert(
			fc.property(signedEvents, fc.nat(), (all, at) => {
				const states = statesOf(all);
				const [before, after] = [states[at % states.length]!.parts, states.at(-1)!.parts];
				const end = endSince(before, after);
				expect(joinEnd(before, end)).toEqual(after);
				// What was stored and read again is another object, and may be of a moment later.
				for (const later of states.slice(at % states.length)) expect(joinEnd(structuredClone(later.parts), end)).toEqual(after);
				expect(lengthOf(end.parts)).toBeLessThanOrEqual(lengthOf(after));
			})
		);
	});

	it('[E11] joins nothing where something between is missing', () => {
		const end = { parts: [{ type: 'text' as const, text: 'lo' }], partsFrom: 1, textFrom: 3 };
		const hm = { type: 'reasoning' as const, text: 'Hm.' };
		expect(joinEnd([hm, { type: 'text', text: 'Hel' }], end)).toEqual([hm, { type: 'text', text: 'Hello' }]);
		for (const parts of [[], [hm], [hm, hm], [hm, { type: 'text' as const, text: 'He' }]]) expect(joinEnd(parts, end)).toBeUndefined();
	});
});
