import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message';
import { createTool, type SessionReadOutput } from './session-read';
import type { ReadSession } from './ports';
import type { ToolContext } from './tool';

const context: ToolContext = { sessionId: 'here', signal: new AbortController().signal };

function message(id: string, parentId: string | null, role: Message['role'], text: string): Message {
	return { id, parentId, sessionId: 's', depth: 0, role, parts: [{ type: 'text', text }], createdAt: Date.UTC(2026, 0, 2) };
}

/** The tool over a session of these messages, and what it asked for. */
function toolOn(messages: Message[] | undefined) {
	const asked: Parameters<ReadSession>[] = [];
	const tool = createTool({
		readSession: (...call) => {
			asked.push(call);
			return Promise.resolve(messages && { title: 'Pears', messages });
		}
	});
	return { tool, asked };
}

async function read(messages: Message[]): Promise<SessionReadOutput> {
	return (await toolOn(messages).tool.run({ session_id: 's' }, context)).output as SessionReadOutput;
}

describe('[E7] session_read', () => {
	it('gives messages with their ids and times, and where those before begin', async () => {
		const { tool, asked } = toolOn([message('b', 'a', 'user', 'Which pear?'), message('c', 'b', 'assistant', 'Williams.')]);
		expect(await tool.run({ session_id: 's', until: 'c', limit: 2 }, context)).toEqual({
			isError: false,
			output: {
				title: 'Pears',
				messages: [
					{ id: 'b', role: 'user', created_at: '2026-01-02T00:00:00.000Z', text: 'Which pear?' },
					{ id: 'c', role: 'assistant', created_at: '2026-01-02T00:00:00.000Z', text: 'Williams.' }
				],
				earlier: 'a'
			}
		});
		expect(asked).toEqual([['s', { limit: 2, until: 'c' }]]);
	});

	it('leaves system prompts out, and says where it begins', async () => {
		const { messages, earlier } = await read([message('a', null, 'system', 'Secret rules'), message('b', 'a', 'user', 'Hello')]);
		expect(messages.map(({ id }) => id)).toEqual(['b']);
		expect(earlier).toBe('a');
		expect((await read([message('b', null, 'user', 'Hello')])).earlier).toBeUndefined();
	});

	it('cuts what is long, and says by how much', async () => {
		const { messages } = await read([message('a', null, 'user', 'x'.repeat(9000))]);
		expect(messages[0]!.text).toBe(`${'x'.repeat(8000)} [… 1000 more characters]`);
	});

	it('gives the newest that have room, and goes on from there', async () => {
		const long = Array.from({ length: 50 }, (_, index) => message(String(index), index === 0 ? null : String(index - 1), 'user', 'x'.repeat(8000)));
		const output = await read(long);
		expect(output.messages.map(({ id }) => id)).toEqual(['45', '46', '47', '48', '49']);
		expect(output.earlier).toBe('44');
	});

	it('says where to look where there is no such message', async () => {
		expect(await toolOn(undefined).tool.run({ session_id: 'gone' }, context)).toMatchObject({ isError: true, output: expect.stringContaining('session_search') as string });
	});
});
