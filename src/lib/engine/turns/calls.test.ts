import { describe, expect, it } from 'vitest';
import type { Message } from '../../conversation/message';
import type { ToolCall } from '../../conversation/open-calls';
import type { CallState } from '../../storage/tables/checkpoints';
import { digestOf } from '../../tools/approvals';
import { errorResult, type Effect, type Tool, type ToolContext, type ToolResult } from '../../tools/tool';
import { runCalls, type CallPorts } from './calls';

const tool = (name: string, effect: Effect, run: (context: ToolContext) => Promise<ToolResult>): Tool => ({
	name,
	effect,
	description: 'Does it.',
	inputSchema: { type: 'object' },
	timeoutMs: 60_000,
	run: (_, context) => run(context)
});
const calls = (...names: string[]): ToolCall[] => names.map((toolName, index) => ({ type: 'tool-call', toolCallId: String(index), toolName, input: {} }));
const done = (output: unknown): ToolResult => ({ output, isError: false });

/** Runs calls over a store in memory; `log` has what happened, in order. */
function stage(tools: Tool[], { signal = new AbortController().signal, characters = 1000, allowed = [] as string[], states = [] as CallState[] } = {}) {
	const log: string[] = [];
	const stored: Message[] = [];
	const ports: CallPorts = {
		sessionId: 's',
		// Copies, as what is read anew each time.
		openTools: () => Promise.resolve({ tools: [...tools], allowed: [...allowed] }),
		checkpoints: {
			of: () => Promise.resolve(states),
			begin: (_, answerId, toolCallId) => {
				log.push(`begun ${toolCallId}`);
				states = [...states.filter((state) => state.toolCallId !== toolCallId), { answerId, toolCallId, begun: true }];
				return Promise.resolve();
			}
		},
		room: { characters },
		signal,
		newId: () => `m${stored.length}`,
		clock: () => 0,
		store: {
			result: (sessionId, parentId, message) => {
				const row: Message = { ...message, sessionId, parentId, depth: 0 };
				stored.push(row);
				const [part] = row.parts;
				log.push(`stored ${part?.type === 'tool-result' ? part.toolCallId : ''}`);
				return Promise.resolve(row);
			}
		}
	};
	async function run(open: ToolCall[]): Promise<{ parentId: string; waits: boolean }> {
		const events = runCalls(ports, { answerId: 'answer', parentId: 'answer', calls: open });
		for (;;) {
			const { value, done } = await events.next();
			if (done) return value;
			expect(stored.at(-1)).toBe(value.message);
		}
	}
	return { log, stored, run };
}

describe('[R1] runCalls', () => {
	it('runs what reads side by side, and stores results in the order of the calls', async () => {
		let running = 0;
		let most = 0;
		let go = () => {};
		const all = new Promise<void>((resolve) => (go = resolve));
		const look = tool('look', 'read', async () => {
			most = Math.max(most, ++running);
			if (running === 3) go();
			await all;
			running--;
			return done(1);
		});
		const { stored, run } = stage([look]);
		expect(await run(calls('look', 'look', 'look'))).toEqual({ parentId: 'm2', waits: false });
		expect(most).toBe(3);
		expect(stored.map(({ parentId }) => parentId)).toEqual(['answer', 'm0', 'm1']);
	});

	it('runs at most eight at once', async () => {
		let running = 0;
		let most = 0;
		const look = tool('look', 'read', async () => {
			most = Math.max(most, ++running);
			await Promise.resolve();
			running--;
			return done(1);
		});
		const { stored, run } = stage([look]);
		await run(calls(...Array<string>(20).fill('look')));
		expect([most, stored.length]).toEqual([8, 20]);
	});

	it('runs what has an effect by itself, after all before it are stored', async () => {
		const { log, run } = stage([
			tool('look', 'read', () => Promise.resolve((log.push('look'), done(1)))),
			tool('write', 'write', () => Promise.resolve((log.push('write'), done(1))))
		]);
		await run(calls('look', 'look', 'write', 'write', 'look'));
		expect(log).toEqual(['look', 'look', 'stored 0', 'stored 1', 'write', 'stored 2', 'write', 'stored 3', 'look', 'stored 4']);
	});

	it('tells the model of a tool that there is not, that says no, or that takes too long', async () => {
		const { stored, run } = stage([
			tool('no', 'read', () => Promise.resolve(errorResult('No.'))),
			{ ...tool('slow', 'read', () => new Promise(() => undefined)), timeoutMs: 1 }
		]);
		await run(calls('gone', 'no', 'slow'));
		expect(stored.flatMap(({ parts }) => parts)).toMatchObject([
			{ isError: true, output: 'There is no such tool. There are: no, slow.' },
			{ isError: true, output: 'No.' },
			{ isError: true, output: expect.stringContaining('took longer than 0.001 seconds') as unknown }
		]);
	});

	it('[P8] runs nothing more once results have filled the room of a turn', async () => {
		const look = tool('look', 'read', () => Promise.resolve(done('x'.repeat(600))));
		const { stored, run } = stage([look, { ...look, name: 'write', effect: 'write' }]);
		await run(calls('look', 'look', 'gone', 'write', 'look'));
		const errors = stored.flatMap(({ parts }) => parts).map((part) => part.type === 'tool-result' && part.isError);
		expect(errors).toEqual([false, false, true, true, true]);
	});

	describe('[Z8] with a tool that asks', () => {
		const write = (log: string[] = []): Tool => ({
			...tool('write', 'write', ({ answer }) => Promise.resolve((log.push('write'), done(answer ?? 'written')))),
			asks: 'permission',
			preview: () => Promise.resolve({ sentence: 'Write' })
		});
		const look = tool('look', 'read', () => Promise.resolve(done(1)));
		const seen = () => digestOf(calls('write')[0]!, { sentence: 'Write' });
		const state = (of: Partial<CallState>): CallState => ({ answerId: 'answer', toolCallId: '0', decided: 'allowed', ...of });

		it('waits at it for the user, and runs nothing after it', async () => {
			const { log, stored, run } = stage([look, write()]);
			expect(await run(calls('look', 'write', 'look'))).toEqual({ parentId: 'm0', waits: true });
			expect([log, stored.length]).toEqual([['stored 0'], 1]);
		});

		it('runs what was allowed as it was seen, once, and says so before', async () => {
			const written: string[] = [];
			const { log, run } = stage([write(written)], { states: [state({ seen: await seen() })] });
			expect(await run(calls('write'))).toMatchObject({ waits: false });
			expect([log, written]).toEqual([['begun 0', 'stored 0'], ['write']]);
			// As after a browser that was killed before the result was stored.
			expect(await run(calls('write'))).toMatchObject({ waits: true });
			expect(written).toEqual(['write']);
		});

		it('is told what the user was shown of the call', async () => {
			let shown: unknown;
			const told: Tool = { ...write(), run: (_, context) => ((shown = context.shown), Promise.resolve(done(1))) };
			await stage([told], { allowed: ['write'] }).run(calls('write'));
			expect(shown).toEqual({ sentence: 'Write' });
		});

		it('asks again where it is another call by now', async () => {
			const { log, run } = stage([write()], { states: [state({ seen: 'other' })] });
			expect(await run(calls('write'))).toMatchObject({ waits: true });
			expect(log).toEqual([]);
		});

		it('tells the model what the user said against it', async () => {
			const { stored, run } = stage([write()], { states: [state({ decided: 'denied', word: 'Not today.' })] });
			await run(calls('write'));
			expect(stored[0]?.parts).toMatchObject([{ isError: true, denied: true, output: 'The user decided against this call. Nothing was done. They say: Not today.' }]);
		});

		it('is not taken as denied where the tool’s own error says so', async () => {
			const own: Tool = { ...write(), run: () => Promise.resolve(errorResult('The user decided against this call. Nothing was done.')) };
			const { stored, run } = stage([own], { allowed: ['write'] });
			await run(calls('write'));
			expect(stored[0]?.parts).toMatchObject([{ isError: true }]);
			expect(stored[0]?.parts[0]).not.toHaveProperty('denied');
		});

		it('says that its effect may be there where it had begun', async () => {
			const { stored, run } = stage([write()], { states: [state({ decided: 'denied', begun: true })] });
			await run(calls('write'));
			expect(stored[0]?.parts).toMatchObject([{ isError: true, output: expect.stringContaining('may have had its effect') as unknown }]);
			expect(stored[0]?.parts[0]).not.toHaveProperty('denied');
		});

		it('runs unasked what was allowed once for all, but not where it had begun', async () => {
			const { stored, run } = stage([write()], { allowed: ['write'] });
			expect(await run(calls('write'))).toMatchObject({ waits: false });
			expect(stored).toHaveLength(1);
			const again = stage([write()], { allowed: ['write'], states: [{ answerId: 'answer', toolCallId: '0', begun: true }] });
			expect(await again.run(calls('write'))).toMatchObject({ waits: true });
			expect(again.log).toEqual([]);
		});

		it('asks about the next where the user took back meanwhile what was allowed, and runs none of a tool that was switched off', async () => {
			const allowed = ['write'];
			const tools = [write()];
			const { log, run } = stage(tools, { allowed });
			tools[0]!.run = () => {
				allowed.length = 0;
				return Promise.resolve(done('written'));
			};
			expect(await run(calls('write', 'write', 'write'))).toMatchObject({ waits: true });
			expect(log).toEqual(['begun 0', 'stored 0']);

			const off = stage(tools, { allowed: ['write'] });
			tools[0]!.run = () => {
				tools.length = 0;
				return Promise.resolve(done('written'));
			};
			await off.run(calls('write', 'write'));
			expect(off.log).toEqual(['begun 0', 'stored 0', 'stored 1']);
			expect(off.stored[1]?.parts).toMatchObject([{ isError: true }]);
		});

		it('gives it the answer that it asked for, which nobody allows beforehand', async () => {
			const ask: Tool = { ...write(), effect: 'read', asks: 'answer' };
			expect(await stage([ask], { allowed: ['write'] }).run(calls('write'))).toMatchObject({ waits: true });
			const { log, stored, run } = stage([ask], { states: [state({ seen: await seen(), word: 'Yes' })] });
			await run(calls('write'));
			// That it begins is not written down: the answer would have to give way to it, and be lost with a browser that is killed then.
			expect(log).toEqual(['stored 0']);
			expect(stored[0]?.parts).toMatchObject([{ output: 'Yes', isError: false }]);
		});

		it('asks nothing about a call that can do nothing: its error is the result', async () => {
			const { log, stored, run } = stage([{ ...write(), preview: () => Promise.resolve(errorResult('Not there.')) }]);
			await run(calls('write'));
			expect([log, stored[0]?.parts]).toMatchObject([['stored 0'], [{ isError: true, output: 'Not there.' }]]);
		});

		it('says of one that can do nothing any more that it had begun, or what the user said against it', async () => {
			const gone: Tool = { ...write(), preview: () => Promise.resolve(errorResult('Not there.')) };
			const begun = stage([gone], { states: [{ answerId: 'answer', toolCallId: '0', begun: true }] });
			await begun.run(calls('write'));
			expect(begun.stored[0]?.parts).toMatchObject([{ isError: true, output: expect.stringMatching(/may have had its effect.*Not there\./) as string }]);
			const denied = stage([gone], { states: [state({ decided: 'denied', word: 'No.' })] });
			await denied.run(calls('write'));
			expect(denied.stored[0]?.parts).toMatchObject([{ isError: true, output: expect.stringContaining('They say: No.') as string }]);
		});
	});

	it('ends with the reason of a stop, and leaves what is stored', async () => {
		const stop = new AbortController();
		const reason = new Error('stopped');
		const { stored, run } = stage(
			[
				tool('look', 'read', () => Promise.resolve(done(1))),
				tool('hang', 'write', ({ signal }) => {
					stop.abort(reason);
					expect(signal.aborted).toBe(true);
					return new Promise(() => undefined);
				})
			],
			{ signal: stop.signal }
		);
		await expect(run(calls('look', 'hang', 'look'))).rejects.toBe(reason);
		expect(stored).toHaveLength(1);
	});
});
