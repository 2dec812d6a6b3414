import { expect, it } from 'vitest';
import type { Message, Part, Role } from '../conversation/message';
import { toolLinesOf } from './tool-lines';

const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'look', input: {} });
const result = (toolCallId: string) => ({ type: 'tool-result' as const, toolCallId, toolName: 'look', output: 'tea', isError: false });
const words: Part = { type: 'text', text: 'Tea' };

/** A path of messages with these parts, whose ids are their depths. */
const pathOf = (...said: [Role, ...Part[]][]): Message[] =>
	said.map(([role, ...parts], depth) => ({ id: String(depth), sessionId: 's', parentId: null, depth, role, parts, createdAt: 1 }));

const atEnd = { isAnswering: false, isWhole: true };

/** The ids of results and the states of calls, by the ids of these. */
function linesOf(path: Message[], extent: Parameters<typeof toolLinesOf>[1] = atEnd) {
	const { results, states, hosts, steps } = toolLinesOf(path, extent);
	const named = Object.fromEntries([...[...results].map(([{ toolCallId }, { id }]) => [toolCallId, id]), ...[...states].map(([{ toolCallId }, state]) => [toolCallId, state])]);
	return { named, hosts: [...hosts], steps: [...steps] };
}

it('draws the result that follows a call in its line, each in that of the call with its id', () => {
	const path = pathOf(['user', words], ['assistant', words, call('a'), call('b')], ['tool', result('b')], ['tool', result('a')], ['assistant', call('c')], ['tool', result('c')], ['assistant', words]);
	expect(linesOf(path)).toEqual({ named: { a: '3', b: '2', c: '5' }, hosts: [['2', '1'], ['3', '1'], ['5', '4']], steps: ['1', '4'] });
	expect(toolLinesOf(path, atEnd).within.get('1')).toEqual([path[2], path[3]]);
});

it('gives calls with the same id one result each', () => {
	const [same, other] = [call('a'), call('a')];
	const path = pathOf(['assistant', same, other], ['tool', result('a')], ['tool', result('a')], ['tool', result('a')]);
	expect([...toolLinesOf(path, atEnd).results]).toEqual([[same, path[1]], [other, path[2]]]);
});

it('leaves a result in its place whose call is not right above it, that is one of several, or that was erased', () => {
	const erased: Part = { type: 'redacted', at: 1 };
	expect(linesOf(pathOf(['tool', result('a')], ['user', words], ['tool', result('a')])).hosts).toEqual([]);
	expect(linesOf(pathOf(['assistant', call('a')], ['tool', result('d')], ['user', words]))).toEqual({ named: {}, hosts: [], steps: ['0'] });
	expect(linesOf(pathOf(['assistant', call('a'), call('b')], ['tool', result('a'), result('b')])).named).toEqual({});
	// It can't be told which call it was of.
	expect(linesOf(pathOf(['assistant', call('a'), call('b')], ['tool', erased], ['tool', result('b')])).named).toEqual({ b: '2' });
});

it('draws a result with its files in the line of its call', () => {
	const file: Part = { type: 'file', attachmentId: 'f', mediaType: 'text/plain', name: 'look.txt' };
	expect(linesOf(pathOf(['assistant', call('a')], ['tool', result('a'), file, file])).named).toEqual({ a: '1' });
	expect(linesOf(pathOf(['assistant', call('a')], ['tool', file])).named).toEqual({});
});

it('leaves a call alone that has its result in the same message', () => {
	expect(linesOf(pathOf(['assistant', call('a'), result('a'), call('b')], ['tool', result('b')])).named).toEqual({ b: '1' });
});

it('says of a call without a result whether it is running, or nothing came of it, as far as that is known', () => {
	const open = pathOf(['assistant', call('a'), call('b')], ['tool', result('a')]);
	expect(linesOf(open).named).toEqual({ a: '1', b: 'no result' });
	expect(linesOf(open, { isAnswering: true, isWhole: true }).named).toEqual({ a: '1', b: 'running' });
	expect(linesOf(open, { isAnswering: false, isWhole: false }).named).toEqual({ a: '1' });
	const followed = [...open, ...pathOf(['user', words])];
	expect(linesOf(open, { ...atEnd, isWaiting: true }).named).toEqual({ a: '1', b: 'waiting' });
	expect(linesOf(open, { ...atEnd, isWaiting: true, decided: new Map([['b', 'allowed']]) }).named).toEqual({ a: '1', b: 'allowed' });
	expect(linesOf(open, { ...atEnd, decided: new Map([['b', 'allowed']]) }).named).toEqual({ a: '1', b: 'no result' });
	expect(linesOf(followed, { isAnswering: true, isWhole: true }).named).toEqual({ a: '1', b: 'no result' });
});

it('[R1] says nothing of calls that are still being written, and knows that the answer is a step', () => {
	const path = pathOf(['user', words], ['assistant', call('a')]).map((message) => ({ ...message, createdAt: 0 }));
	expect(linesOf(path, { isAnswering: true, isWhole: true })).toEqual({ named: {}, hosts: [], steps: ['1'] });
	expect(linesOf(path)).toEqual({ named: { a: 'no result' }, hosts: [], steps: [] });
});
