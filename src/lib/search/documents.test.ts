import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../conversation/message';
import type { Session } from '../conversation/session';
import type { Tree } from '../conversation/tree';
import { hasCode, messageDocument, searchedText, sessionDocuments } from './documents';
import { tokenize } from './index/words';

const message = (parts: Part[], more: Partial<Message> = {}): Message => ({
	id: 'm1',
	sessionId: 's1',
	parentId: null,
	depth: 1,
	role: 'assistant',
	parts,
	createdAt: 5,
	...more
});

const session: Session = {
	id: 's1',
	key: 'web:home:1',
	title: 'A title',
	titledBy: 'user',
	workspace: 'home',
	surface: 'web',
	preview: '',
	provider: 'p',
	model: 'm',
	status: 'success',
	stopReason: '',
	steps: 1,
	messageCount: 2,
	bytes: 3,
	usage: {},
	filesTouched: [],
	pinned: 0,
	archived: 0,
	createdAt: 1,
	updatedAt: 2
};

const tree: Tree = { sessionId: 's1', tips: [], labels: { m1: 'good one', m2: '' }, mainTip: null, removed: [] };

describe('what is found of a message', () => {
	it('[E7] what it says, its files, and what tools were called with and gave back, but no reasoning', () => {
		const parts: Part[] = [
			{ type: 'reasoning', text: 'secretly' },
			{ type: 'text', text: 'See `x`.' },
			{ type: 'file', attachmentId: 'a', mediaType: 'image/png', name: 'plan.png' },
			{ type: 'tool-call', toolCallId: 'c', toolName: 'write_file', input: { path: 'a.ts', lines: ['one\nnext', 2], more: { deep: true, no: null } } },
			{ type: 'tool-result', toolCallId: 'c', toolName: 'write_file', output: 'Written.', isError: false }
		];
		const text = 'See `x`.\n\nplan.png\n\nwrite_file path: a.ts\nlines: \none\nnext\n2\nmore: \ndeep: true\nno: null\n\nwrite_file Written.';
		expect(searchedText({ parts })).toBe(text);
		expect(messageDocument(message(parts, { model: 'm' }))).toEqual({
			key: 'm/m1',
			sessionId: 's1',
			kind: 'message',
			role: 'assistant',
			model: 'm',
			depth: 1,
			createdAt: 5,
			hasCode: false,
			text
		});
		expect(messageDocument(message([{ type: 'text', text: 'Hi' }], { role: 'user' }))).not.toHaveProperty('model');
	});

	it('[E7] nothing of a system message, and where there are no words', () => {
		expect(messageDocument(message([{ type: 'text', text: 'You are kind.' }], { role: 'system' }))).toBeUndefined();
		for (const parts of [
			[],
			[{ type: 'text', text: ' \n' }],
			[{ type: 'reasoning', text: 'a' }],
			[{ type: 'redacted', at: 1 }],
			[{ type: 'unreadable', reason: 'broken' }]
		] satisfies Part[][]) {
			expect(messageDocument(message(parts))).toBeUndefined();
		}
	});

	it('a value as deep as it likes is read', () => {
		let input: unknown = 'bottom';
		for (let depth = 0; depth < 20_000; depth++) input = [input];
		const text = searchedText({ parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input }] });
		expect(tokenize(text)).toEqual(['t', 'bottom']);
	});
});

describe('what is found of a session', () => {
	it('[E7] its title, labels and notes', () => {
		const notes = [{ sessionId: 's1', name: 'to/do', content: '```\nx\n```', createdAt: 1, updatedAt: 9 }];
		expect(sessionDocuments(session, tree, notes)).toEqual([
			{ key: 's/s1/title', sessionId: 's1', kind: 'title', depth: 0, createdAt: 1, hasCode: false, text: 'A title' },
			{ key: 's/s1/label/m1', sessionId: 's1', kind: 'label', depth: 0, createdAt: 2, hasCode: false, text: 'good one' },
			{ key: 's/s1/note/to/do', sessionId: 's1', kind: 'note', depth: 0, createdAt: 9, hasCode: true, text: 'to/do\n\n```\nx\n```' }
		]);
		expect(sessionDocuments({ ...session, title: '' }, undefined, [])).toEqual([]);
		expect(sessionDocuments({ ...session, titledBy: 'snug' }, undefined, [])).toEqual([]);
	});
});

describe('whether a text has code', () => {
	it.each([
		['```ts\nx\n```', true],
		['Look:\n\n  ~~~\nx', true],
		['1. ```\n   x\n   ```', true],
		['> ```\n> x', true],
		['no ``` fence', false],
		['a `name`, and then the `other` one', false],
		['call `const x = await load(path, 1)` first', true],
		['an `unclosed one that is rather long\nand more` here', false],
		['plain', false]
	])('%j: %j', (text, expected) => expect(hasCode(text)).toBe(expected));

	it.each([['`'], [' '], ['>'], ['` '], ['1. '], ['\n'], ['`a']])('takes time by the length of the text only: %j over and over', (piece) => {
		const started = performance.now();
		hasCode(`~~${piece.repeat(300_000)}~~~`);
		expect(performance.now() - started).toBeLessThan(2000);
	});
});
