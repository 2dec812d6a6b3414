import { describe, expect, it } from 'vitest';
import type { Message, Part } from './message';
import { openCallsOf } from './open-calls';

const call = (toolCallId: string): Part => ({ type: 'tool-call', toolCallId, toolName: 'look', input: {} });
const result = (toolCallId: string): Part => ({ type: 'tool-result', toolCallId, toolName: 'look', output: 1, isError: false });
const says = (role: Message['role'], ...parts: Part[]) => ({ role, parts });

const open = (...path: Pick<Message, 'role' | 'parts'>[]) => openCallsOf(path).map(({ toolCallId }) => toolCallId);

describe('[R1] openCallsOf', () => {
	it('has the calls of the last answer that have no result, in order', () => {
		expect(open(says('user'), says('assistant', call('a'), call('b')))).toEqual(['a', 'b']);
		expect(open(says('assistant', call('a'), call('b'), call('c')), says('tool', result('b')))).toEqual(['a', 'c']);
		expect(open(says('assistant', call('a'), call('b')), says('tool', result('a')), says('tool', result('b')))).toEqual([]);
	});

	it('leaves out what the provider ran itself', () => {
		expect(open(says('assistant', call('a'), result('a'), call('b')))).toEqual(['b']);
	});

	it('has none of an answer after which somebody has spoken', () => {
		expect(open(says('assistant', call('a')), says('user', { type: 'text', text: 'Well?' }))).toEqual([]);
		expect(open(says('assistant', call('a')), says('assistant', { type: 'text', text: 'Well.' }))).toEqual([]);
		expect(open()).toEqual([]);
		expect(open(says('tool', result('a')))).toEqual([]);
	});

	it('[Z8] of calls of one id only the first is open: what is known of one is known by its id', () => {
		const named = (toolCallId: string, input: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'write', input });
		const parts = [named('x', 'a'), named('x', 'b'), named('y', 'c')];
		expect(openCallsOf([{ role: 'assistant', parts }]).map(({ input }) => input)).toEqual(['a', 'c']);
	});
});
