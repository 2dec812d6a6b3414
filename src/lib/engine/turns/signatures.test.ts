import { expect, it, onTestFinished } from 'vitest';
import { startAnthropicServer } from '../../../../tests/fixtures/anthropic-server.mjs';
import { startGoogleServer } from '../../../../tests/fixtures/google-server.mjs';
import { openRegistry } from '../../../../tests/fixtures/providers';
import { startResponsesServer } from '../../../../tests/fixtures/responses-server.mjs';
import type { Plan } from '../../context/plan';
import type { Message } from '../../conversation/message';
import { newId } from '../../shared/id';
import type { NewMessage } from '../../storage/append';
import type { ContextRows } from '../../storage/context-rows';
import type { Tool } from '../../tools/tool';
import { atServer } from '../providers/answer-source';
import { Journal } from './journal';
import { runTurn, type Turn, type TurnEvent } from './turn';

/** A session in memory, of which each turn sends all. */
function chatWith(openModel: Turn['openModel']) {
	const path: Message[] = [];
	const add = (message: NewMessage) => {
		const stored: Message = { ...message, sessionId: 's', parentId: path.at(-1)?.id ?? null, depth: path.length };
		path.push(stored);
		return Promise.resolve(stored);
	};
	const tools = ['look', 'listen'].map((name): Tool => ({
		name,
		description: name,
		inputSchema: { type: 'object' },
		effect: 'read',
		run: () => Promise.resolve({ output: 'Tea', isError: false })
	}));
	return {
		path,
		async ask(text: string): Promise<TurnEvent | undefined> {
			const { id } = await add({ id: newId(), role: 'user', parts: [{ type: 'text', text }], createdAt: 0 });
			let last: TurnEvent | undefined;
			for await (const event of runTurn({
				sessionId: 's',
				parentId: id,
				store: {
					context: () => Promise.resolve({ endId: path.at(-1)!.id, path } as unknown as ContextRows),
					files: () => Promise.resolve(new Map()),
					answer: (_, __, message) => add(message),
					result: (_, __, message) => add(message),
					spentBudget: () => Promise.resolve(undefined),
					end: () => Promise.resolve()
				},
				checkpoints: { of: () => Promise.resolve([]), begin: () => Promise.resolve() },
				openJournal: () => new Journal(() => Promise.resolve()),
				plan: () => Promise.resolve({ fits: true, system: '', summary: undefined, environment: '', items: path.map((message) => ({ message, parts: message.parts })) } as unknown as Plan),
				openModel,
				parameters: () => Promise.resolve({}),
				openToolbox: () => Promise.resolve({ tools, chosen: tools, allowed: [], maxSteps: 5 }),
				signal: new AbortController().signal,
				newId,
				clock: () => 0
			}))
				last = event;
			return last;
		}
	};
}

const thought = 'Two and two: 四.';

it.each([
	{
		id: 'anthropic',
		start: startAnthropicServer,
		at: '/v1',
		signed: { messages: [{ role: 'user' }, { role: 'assistant', content: [{ type: 'thinking', thinking: thought, signature: 'c2ln' }, { type: 'text' }, { type: 'tool_use' }, { type: 'tool_use' }] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a' }, { type: 'tool_result', tool_use_id: 'call_b' }] }] }
	},
	{
		id: 'google',
		start: startGoogleServer,
		at: '/v1beta',
		signed: { contents: [{ role: 'user' }, { role: 'model', parts: [{ text: 'It is **four** – 你好 👋.' }, { functionCall: { name: 'look' }, thoughtSignature: 'c2ln' }, { functionCall: { name: 'listen' } }] }, { role: 'user', parts: [{ functionResponse: { name: 'look' } }, { functionResponse: { name: 'listen' } }] }] }
	},
	{
		id: 'openai',
		start: startResponsesServer,
		at: '/v1',
		signed: { input: [{ role: 'user' }, { type: 'reasoning', id: 'rs_1', encrypted_content: 'c2ln', summary: [{ type: 'summary_text', text: thought }] }, { role: 'assistant' }, { type: 'function_call' }, { type: 'function_call' }, { type: 'function_call_output' }, { type: 'function_call_output' }] }
	}
])('[R1] $id is sent back what it signed, in the steps of the same turn alone', async ({ id, start, at, signed }) => {
	const server = await start();
	onTestFinished(() => server.close());
	const registry = openRegistry({ keyOf: () => Promise.resolve('sk-abcdefghijklmnopqrstuvwxyz012345'), egress: { silenceMs: 5000 } });
	const source = atServer({ id: newId(), name: 'Box', baseUrl: `${server.origin}${at}`, createdAt: 0, protocol: id }, 'uses-tools');
	const chat = chatWith((signal) => registry.open(source, signal));
	const bodies = () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as unknown);

	expect(await chat.ask('Look')).toEqual({ type: 'turn-end', status: 'success' });
	expect(chat.path.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
	expect(bodies()).toHaveLength(2);
	expect(bodies()[1]).toMatchObject(signed);

	expect(await chat.ask('And?')).toEqual({ type: 'turn-end', status: 'success' });
	expect(bodies()).toHaveLength(3);
	expect(JSON.stringify(bodies()[2])).not.toMatch(/c2ln|四/);
});
