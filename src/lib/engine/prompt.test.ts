import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Part, Role } from '../conversation/message';
import { toPrompt } from './prompt';

function message(role: Role, ...parts: (string | Part)[]): Message {
	return {
		id: 'm',
		sessionId: 's',
		parentId: null,
		depth: 0,
		role,
		parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
		createdAt: 0
	};
}

const text = (text: string) => ({ type: 'text', text });

describe('toPrompt', () => {
	it('[Z2] sends the system prompt, then both sides in order', () => {
		expect(toPrompt([message('system', 'Be brief.'), message('user', 'Hi'), message('assistant', 'Hello')])).toEqual([
			{ role: 'system', content: 'Be brief.' },
			{ role: 'user', content: [text('Hi')] },
			{ role: 'assistant', content: [text('Hello')] }
		]);
	});

	it('makes one message of what was never answered', () => {
		const path = [message('user', 'One'), message('user', 'Two'), message('assistant', 'A'), message('user', 'Three')];
		expect(toPrompt(path)).toEqual([
			{ role: 'user', content: [text('One'), text('Two')] },
			{ role: 'assistant', content: [text('A')] },
			{ role: 'user', content: [text('Three')] }
		]);
	});

	it('sends no reasoning back, and no message that had nothing else', () => {
		const reasoning: Part = { type: 'reasoning', text: 'Hm.' };
		const path = [message('user', 'Hi'), message('assistant', reasoning, 'Hello'), message('assistant', reasoning)];
		expect(toPrompt(path)).toEqual([
			{ role: 'user', content: [text('Hi')] },
			{ role: 'assistant', content: [text('Hello')] }
		]);
	});

	it('[Z2] leaves out an empty system prompt', () => {
		expect(toPrompt([message('system'), message('user', 'Hi')])).toEqual([{ role: 'user', content: [text('Hi')] }]);
	});

	it('[E12] makes the same bytes of the same rows, and a longer path begins as the shorter one did', () => {
		const messages = fc
			.array(fc.tuple(fc.constantFrom<Role>('user', 'assistant'), fc.string()), { maxLength: 10 })
			.map((rows) => rows.map(([role, text]) => message(role, text)));
		fc.assert(
			fc.property(messages, fc.string({ minLength: 1 }), (path, answer) => {
				const before = structuredClone(path);
				const prompt = JSON.stringify(toPrompt(path));
				expect(JSON.stringify(toPrompt(structuredClone(path)))).toBe(prompt);
				const longer = [...path, message('assistant', answer), message('user', 'And?')];
				expect(JSON.stringify(toPrompt(longer)).startsWith(prompt.slice(0, -1))).toBe(true);
				expect(path).toEqual(before);
			})
		);
	});
});
