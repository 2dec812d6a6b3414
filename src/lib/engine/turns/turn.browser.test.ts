import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { spoken } from '../../../../tests/fixtures/answers';
import { newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { openPlanner } from '../../../../tests/fixtures/planner';
import { call, finish, never, say, ScriptedModel, think, type ScriptStep } from '../../../../tests/fixtures/scripted-model';
import { AppError } from '../../shared/app-error';
import { newId } from '../../shared/id';
import { Answers } from '../../storage/answers';
import { append } from '../../storage/append';
import { Checkpoints } from '../../storage/checkpoints';
import type { Database } from '../../storage/database';
import { unfenced } from '../../storage/fence';
import { Messages } from '../../storage/messages';
import { Sessions } from '../../storage/sessions';
import { TurnStore } from '../../storage/turn-store';
import * as v from 'valibot';
import { makeTool, type Tool } from '../../tools/tool';
import { atServer } from '../providers/answer-source';
import { Journal } from './journal';
import { runTurn, type Turn, type TurnEvent } from './turn';

const reported = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined);
beforeEach(() => void reported.mockClear());

const source = atServer({ id: 'p', name: 'P', baseUrl: 'http://localhost/v1', createdAt: 0 }, 'parrot');
const full = new AppError('disk-full', 'There is no space left.', { retryable: true });
const interrupted: TurnEvent = { type: 'turn-end', status: 'interrupted' };

interface Staging {
	/** Replaces parts of the store. */
	failing?: Partial<Pick<TurnStore, 'journal' | keyof Turn['store']>>;
	checkpoints?: Turn['checkpoints'];
	tools?: Tool[];
	/** Those that the user chose, where the model takes none. */
	chosen?: Tool[];
	allowed?: string[];
	/** The message that is answered; the question if absent. */
	parentId?: string;
	/** The id that its first answer is to have. */
	firstAnswerId?: string;
	/** Sees each event. */
	onEvent?: (event: TurnEvent) => void;
}

/** A session that waits for its answer, in `db`. */
async function asked(db: Database) {
	const session = newSession();
	const path = await append(db, { session, messages: [newMessage('system', 'Be brief.'), newMessage('user', 'Hi')] });
	const question = path[1]!;
	const planner = openPlanner(db);
	const abort = new AbortController();
	const events: TurnEvent[] = [];
	return {
		id: session.id,
		question,
		events,
		stop: () => abort.abort(),
		draft: () => new Answers(db).get(session.id),
		row: () => new Sessions(db).get(session.id),
		answers: async () => (await new Messages(db).all(session.id)).filter(({ role }) => role === 'assistant'),
		/** Runs the turn to its end. */
		run: async (
			model: ScriptedModel | Turn['openModel'],
			{ failing = {}, checkpoints = new Checkpoints(db, unfenced), tools = [], chosen = tools, allowed = [], parentId = question.id, firstAnswerId, onEvent }: Staging = {}
		) => {
			const store = new TurnStore(db, unfenced);
			const { journal = (id, answer) => store.journal(id, answer), ...others } = failing;
			const turn: Turn = {
				sessionId: session.id,
				parentId,
				openJournal: () => new Journal((answer) => journal(session.id, answer)),
				store: {
					context: (id, at) => store.context(id, at),
					files: (messages) => store.files(messages),
					answer: (...all) => store.answer(...all),
					result: (...all) => store.result(...all),
					spentBudget: (id) => store.spentBudget(id),
					end: (...all) => store.end(...all),
					...others
				},
				checkpoints,
				plan: async (rows) => (await planner.view(rows, source)).plan,
				openModel: typeof model === 'function' ? model : () => Promise.resolve(model),
				parameters: () => Promise.resolve({}),
				openToolbox: () => Promise.resolve({ tools, chosen, allowed, maxSteps: 3 }),
				signal: abort.signal,
				newId,
				...(firstAnswerId !== undefined && { firstAnswerId }),
				clock: () => 5000
			};
			for await (const event of runTurn(turn)) {
				events.push(event);
				onEvent?.(event);
			}
			return events;
		}
	};
}

function failed(code: string) {
	return { type: 'turn-end', status: 'failed', failure: { name: 'AppError', code } };
}

describe('runTurn', () => {
	it('tells an answer in order, and stores it under the announced id', async () => {
		const turn = await asked(openDatabase());
		const counts = { input: 9, output: 3, cacheRead: 4 };
		const model = new ScriptedModel([think('Hm.'), say('Hel'), say('lo'), finish('length', counts)]);
		const events = await turn.run(model);
		const [stored] = await turn.answers();
		expect(stored).toEqual({
			id: stored!.id,
			sessionId: turn.id,
			parentId: turn.question.id,
			depth: 2,
			role: 'assistant',
			parts: [
				{ type: 'reasoning', text: 'Hm.' },
				{ type: 'text', text: 'Hello' }
			],
			createdAt: 5000,
			model: 'parrot',
			usage: { inputTokens: 9, outputTokens: 3, cacheReadTokens: 4 },
			times: { first: 0, total: 0, thinking: 0 },
			finishReason: 'length'
		});
		expect(events).toEqual([
			{ type: 'step-start', messageId: stored!.id, parentId: turn.question.id, model: 'parrot', startedAt: 5000 },
			{ type: 'reasoning-delta', text: 'Hm.' },
			{ type: 'text-delta', text: 'Hello' },
			{ type: 'step-end', message: stored },
			{ type: 'turn-end', status: 'success' }
		]);
		expect(await turn.row()).toMatchObject({ status: 'success', stopReason: '', model: 'parrot', messageCount: 3 });
		expect(await turn.draft()).toBeUndefined();
	});

	it('[Z2] sends the system prompt and the question', async () => {
		const model = new ScriptedModel([say('Hello')]);
		await (await asked(openDatabase())).run(model);
		expect(model.prompts).toEqual([
			[
				{ role: 'system', content: 'Be brief.' },
				{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }
			]
		]);
	});

	it('takes an answer without a finish part, and one that the engine ends for a reason of its own', async () => {
		for (const script of [[say('Hello')], [say('Hello'), finish('error')]]) {
			const turn = await asked(openDatabase());
			await turn.run(new ScriptedModel(script));
			expect(await turn.answers()).toMatchObject([{ finishReason: 'other', usage: {} }]);
		}
	});

	it('[E11] a thought that is signed and has no words is no answer, and nothing to keep', async () => {
		const turn = await asked(openDatabase());
		const hidden: ScriptStep = { type: 'reasoning-end', id: '1', providerMetadata: { maker: { sig: 'c2ln' } } };
		expect((await turn.run(new ScriptedModel([hidden, finish()]))).at(-1)).toMatchObject(failed('empty-answer'));
		expect(await turn.draft()).toBeUndefined();
		expect(await turn.answers()).toEqual([]);
	});

	it('[R1] keeps what a provider signed with what it signed', async () => {
		const turn = await asked(openDatabase());
		const sign = (id: string): ScriptStep => ({ type: 'reasoning-end', id, providerMetadata: { maker: { sig: id } } });
		await turn.run(new ScriptedModel([sign('1'), think('Hm.'), sign('2'), say('Hello'), finish()]));
		const signature = (sig: string) => ({ signature: { maker: { sig } } });
		expect(await turn.answers()).toMatchObject([{ parts: [{ type: 'reasoning', text: '', ...signature('1') }, { type: 'reasoning', text: 'Hm.', ...signature('2') }, { type: 'text', text: 'Hello' }] }]);
	});

	it('keeps what had streamed when the user stops', async () => {
		const turn = await asked(openDatabase());
		const model = new ScriptedModel([say('Hel'), never]);
		const events = await turn.run(model, { onEvent: ({ type }) => type === 'text-delta' && turn.stop() });
		expect(events.at(-1)).toEqual(interrupted);
		expect(await turn.answers()).toMatchObject([{ parts: [{ type: 'text', text: 'Hel' }], finishReason: 'stopped' }]);
		expect(await turn.row()).toMatchObject({ status: 'interrupted', stopReason: 'You stopped it.' });
		expect(await turn.draft()).toBeUndefined();
		expect(model.cancelled).toBe(1);
	});

	it.each<[string, ScriptedModel | Turn['openModel']]>([
		['while the model is opened', () => never],
		['before the model has begun to answer', Object.assign(new ScriptedModel([]), { doStream: () => never })],
		['before the first word', new ScriptedModel([never])]
	])('stores no message when the user stops %s', async (_, model) => {
		const turn = await asked(openDatabase());
		setTimeout(turn.stop, 30);
		expect((await turn.run(model)).at(-1)).toEqual(interrupted);
		expect(await turn.answers()).toEqual([]);
		expect(await turn.row()).toMatchObject({ status: 'interrupted', stopReason: 'You stopped it.' });
	});

	it('ends also when the user has stopped before it begins', async () => {
		const turn = await asked(openDatabase());
		turn.stop();
		expect(await turn.run(() => never)).toEqual([interrupted]);
	});

	it.each<[string, ScriptStep]>([
		['an error part', { type: 'error', error: new AppError('server-broke-off', 'The server broke off.') }],
		['a broken stream', new AppError('server-broke-off', 'The server broke off.')]
	])('[E11] keeps the draft and the reason, and no message, after %s', async (_, step) => {
		const turn = await asked(openDatabase());
		const events = await turn.run(new ScriptedModel([think('Hm.'), say('Hel'), step]));
		expect(events.at(-1)).toMatchObject(failed('server-broke-off'));
		expect(await turn.answers()).toEqual([]);
		expect(await turn.draft()).toEqual({
			sessionId: turn.id,
			messageId: expect.any(String) as string,
			parentId: turn.question.id,
			parts: spoken('Hel', 'Hm.'),
			model: 'parrot',
			startedAt: 5000
		});
		expect(await turn.row()).toMatchObject({ status: 'failed', stopReason: 'The server broke off.' });
		expect(reported).not.toHaveBeenCalled();
	});

	it('[E11] keeps no draft of a failure before the first word', async () => {
		const turn = await asked(openDatabase());
		const down = new AppError('server-down', 'The server is down.');
		expect(await turn.run(() => Promise.reject(down))).toEqual([{ type: 'turn-end', status: 'failed', failure: down }]);
		const again = await asked(openDatabase());
		await again.run(new ScriptedModel([say(''), { type: 'error', error: down }]));
		expect([await turn.draft(), await again.draft()]).toEqual([undefined, undefined]);
	});

	it('fails on an answer with nothing in it', async () => {
		const turn = await asked(openDatabase());
		expect((await turn.run(new ScriptedModel([finish()]))).at(-1)).toMatchObject(failed('empty-answer'));
		expect(await turn.row()).toMatchObject({ status: 'failed' });
		expect(await turn.answers()).toEqual([]);
	});

	it('ends with disk-full when the draft can not be written, and lets the model go', async () => {
		const turn = await asked(openDatabase());
		const refused = new Promise<void>((resolve) => setTimeout(resolve, 1200));
		const model = new ScriptedModel([say('Hel'), refused, say('lo'), never]);
		const events = await turn.run(model, { failing: { journal: () => Promise.reject(full) } });
		expect(events.at(-1)).toEqual({ type: 'turn-end', status: 'failed', failure: full });
		expect(await turn.answers()).toEqual([]);
		expect(model.cancelled).toBe(1);
	});

	it.each([true, false])('[E11] keeps the draft when the answer can not be stored (stopped before: %s)', async (stopped) => {
		const turn = await asked(openDatabase());
		const events = await turn.run(new ScriptedModel([say('Hel'), ...(stopped ? [never] : [finish()])]), {
			failing: { answer: () => Promise.reject(full) },
			onEvent: ({ type }) => stopped && type === 'text-delta' && turn.stop()
		});
		expect(events.at(-1)).toEqual({ type: 'turn-end', status: 'failed', failure: full });
		expect(await turn.draft()).toMatchObject({ parts: spoken('Hel') });
		expect(await turn.row()).toMatchObject({ status: 'failed', stopReason: full.message });
	});

	it('ends also when how it ended can not be stored', async () => {
		for (const error of [full, new TypeError('a bug')]) {
			const turn = await asked(openDatabase());
			const end = () => Promise.reject(error);
			turn.stop();
			expect(await turn.run(() => never, { failing: { end } })).toEqual([interrupted]);
		}
	});

	it('reports what no one has foreseen, once, and says that something is wrong', async () => {
		const bug = new TypeError('x is undefined');
		const turn = await asked(openDatabase());
		const slow = new Promise<void>((resolve) => setTimeout(resolve, 1200));
		const events = await turn.run(new ScriptedModel([say('Hel'), slow, say('lo')]), {
			failing: { journal: () => Promise.reject(bug) }
		});
		expect(events.at(-1)).toMatchObject({ ...failed('unexpected'), failure: { retryable: true, cause: bug } });
		expect(reported.mock.calls).toEqual([[bug]]);
	});

	it('ends exactly once and keeps every word, whatever the model, the user and the store do', async () => {
		const db = openDatabase();
		const steps = fc.oneof(
			{ weight: 4, arbitrary: fc.string({ maxLength: 3 }).map(say) },
			{ weight: 2, arbitrary: fc.string({ maxLength: 3 }).map(think) },
			{ weight: 1, arbitrary: fc.constantFrom<() => ScriptStep>(
				() => finish(),
				() => ({ type: 'error', error: new AppError('server-broke-off', 'It broke off.') }),
				() => ({ type: 'error', error: 'overloaded' }),
				() => new TypeError('network error'),
				() => new Promise((resolve) => setTimeout(resolve, 1))
			).map((make) => make()) }
		);
		const failures = fc.option(fc.constantFrom<Error>(full, new TypeError('a bug')));
		await fc.assert(
			fc.asyncProperty(
				fc.array(steps, { maxLength: 8 }),
				fc.option(fc.nat({ max: 6 })),
				fc.record({ context: failures, answer: failures, end: failures }, { requiredKeys: [] }),
				async (script, stopAt, broken) => {
					const turn = await asked(db);
					if (stopAt === 0) turn.stop();
					const failing = Object.fromEntries(
						Object.entries(broken).flatMap(([name, error]) => (error ? [[name, () => Promise.reject(error)]] : []))
					);
					await turn.run(new ScriptedModel(script), {
						failing,
						onEvent: () => turn.events.length === stopAt && turn.stop()
					});

					const { events } = turn;
					const ends = events.filter((event) => event.type === 'turn-end');
					expect(ends).toEqual([events.at(-1)]);
					const streamed = (type: string) =>
						events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
					const words = { text: streamed('text-delta'), reasoning: streamed('reasoning-delta') };
					const answers = await turn.answers();
					const told = events.flatMap((event) => (event.type === 'step-end' ? [event.message] : []));
					expect(answers).toEqual(told);
					const { parts = [] } = answers[0] ?? (await turn.draft()) ?? {};
					const kept = (type: string) => parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
					expect({ text: kept('text'), reasoning: kept('reasoning') }).toEqual(words);
					if (ends[0]!.status === 'success') expect(answers).toHaveLength(1);
					if (answers.length > 0) expect(await turn.draft()).toBeUndefined();
					if (!('end' in failing)) expect((await turn.row())!.status).toBe(ends[0]!.status);
				}
			),
			{ numRuns: 150 }
		);
	});
});

describe('a turn of several steps', () => {
	/** A tool that doubles a number. */
	const double = makeTool({
		name: 'double',
		description: 'Doubles a number.',
		input: v.object({ n: v.number() }),
		inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
		effect: 'read',
		run: ({ n }) => Promise.resolve({ output: n * 2, isError: false as const })
	});
	const resultsOf = async (db: Database, id: string) => (await new Messages(db).all(id)).filter(({ role }) => role === 'tool');

	it('[R1] runs what the model calls in order, tells it the results, and ends when it calls nothing', async () => {
		const db = openDatabase();
		const turn = await asked(db);
		const script: ScriptStep[] = [say('Let me see.'), call('double', '{"n":21}', 'a'), call('double', '{"n":"x"}', 'b'), call('halve', '{}', 'c'), finish('tool-calls')];
		const model = new ScriptedModel(script);
		const events = await turn.run(model, {
			tools: [double],
			onEvent: ({ type }) => {
				if (type === 'step-end') void script.splice(0, Infinity, say('42.'), finish('stop', { input: 9 }));
			}
		});
		expect(events.map(({ type }) => type)).toEqual([
			...['step-start', 'text-delta', 'tool-call', 'tool-call', 'tool-call', 'step-end', 'result', 'result', 'result'],
			...['step-start', 'text-delta', 'step-end', 'turn-end']
		]);
		expect(events.at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		const path = await new Messages(db).all(turn.id);
		expect(path.map(({ role, parentId }, index) => [role, index === 0 ? parentId : path.findIndex(({ id }) => id === parentId)])).toEqual([
			['system', null],
			...[0, 1, 2, 3, 4, 5].map((parent) => [['user', 'assistant', 'tool', 'tool', 'tool', 'assistant'][parent], parent])
		]);
		expect((await resultsOf(db, turn.id)).flatMap(({ parts }) => parts)).toMatchObject([
			{ toolCallId: 'a', toolName: 'double', output: 42, isError: false },
			{ toolCallId: 'b', isError: true, output: expect.stringContaining('number') as string },
			{ toolCallId: 'c', isError: true, output: 'There is no such tool. There are: double.' }
		]);
		expect(model.prompts[1]!.slice(2)).toMatchObject([
			{ role: 'assistant', content: [{ type: 'text' }, { toolCallId: 'a', input: { n: 21 } }, { toolCallId: 'b' }, { toolCallId: 'c' }] },
			{ role: 'tool', content: [{ toolCallId: 'a', output: { type: 'json', value: 42 } }, { toolCallId: 'b', output: { type: 'error-text' } }, { toolCallId: 'c' }] }
		]);
		expect(await turn.row()).toMatchObject({ status: 'success', stopReason: '', steps: 2 });
		expect(await turn.draft()).toBeUndefined();
	});

	it('[R1] an event is told when what it tells is stored', async () => {
		const db = openDatabase();
		const turn = await asked(db);
		const script: ScriptStep[] = [call('double', '{"n":1}'), finish('tool-calls')];
		const checks: Promise<unknown>[] = [];
		await turn.run(new ScriptedModel(script), {
			tools: [double],
			onEvent: (event) => {
				if (event.type === 'step-end') void script.splice(0, Infinity, say('2.'));
				if (event.type === 'step-end' || event.type === 'result') {
					checks.push(new Messages(db).get(event.message.id).then((row) => expect(row).toEqual(event.message)));
				}
			}
		});
		expect(await Promise.all(checks)).toHaveLength(3);
	});

	it('[R1] has one step where there are no tools, whatever the model calls; the call is kept as it came', async () => {
		const turn = await asked(openDatabase());
		const model = new ScriptedModel([call('double', '{"n":', 'a'), finish('tool-calls')]);
		expect((await turn.run(model)).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		expect(model.prompts).toHaveLength(1);
		expect(await turn.answers()).toMatchObject([{ parts: [{ type: 'tool-call', toolName: 'double', input: '{"n":' }], finishReason: 'tool-calls' }]);
	});

	it('[R1] runs what was called before the model was changed for one that takes no tools, which reads the result', async () => {
		const db = openDatabase();
		const turn = await asked(db);
		const calling = newMessage('assistant', '', { parts: [{ type: 'tool-call', toolCallId: 'a', toolName: 'double', input: { n: 21 } }] });
		const [answer] = await append(db, { session: turn.id, fence: unfenced, messages: [calling] });
		const model = new ScriptedModel([say('It is 42.'), finish()]);
		const firstAnswerId = newId();
		expect((await turn.run(model, { chosen: [double], parentId: answer!.id, firstAnswerId })).at(-1)).toEqual({ type: 'turn-end', status: 'success' });
		expect((await turn.answers()).map(({ id }) => id)).toContain(firstAnswerId);
		expect(await resultsOf(db, turn.id)).toMatchObject([{ parts: [{ toolCallId: 'a', output: 42 }] }]);
		expect(JSON.stringify(model.prompts[0])).toContain('42');
	});

	it('[R2] ends after the most steps that there may be, and says so', async () => {
		const db = openDatabase();
		const turn = await asked(db);
		const model = new ScriptedModel([call('double', '{"n":1}'), finish('tool-calls')]);
		expect((await turn.run(model, { tools: [double] })).at(-1)).toEqual({ type: 'turn-end', status: 'partial' });
		expect(model.prompts).toHaveLength(3);
		expect(await resultsOf(db, turn.id)).toHaveLength(3);
		expect(await turn.row()).toMatchObject({ status: 'partial', stopReason: expect.stringContaining('3 steps') as string });
	});

	it('[R1] wherever it is killed, a call with an effect runs once, or the user is asked about it before it runs again', async () => {
		/** Calls both at first, and ends once it knows the results. */
		class Worker extends ScriptedModel {
			override doStream: ScriptedModel['doStream'] = (options) => {
				const isTold = options.prompt.at(-1)?.role === 'tool';
				return new ScriptedModel(isTold ? [say('Done.'), finish()] : [call('write', '{"n":1}', 'a'), call('write', '{"n":2}', 'b'), finish('tool-calls')]).doStream(options);
			};
		}
		let kills = 0;
		for (let left = 0, isKilled = true; isKilled; left++) {
			for (const isDone of [false, true]) {
				const db = openDatabase();
				const turn = await asked(db);
				const runs: number[] = [];
				const write = makeTool({
					...double,
					name: 'write',
					input: v.object({ n: v.number() }),
					effect: 'write',
					asks: 'permission',
					preview: ({ n }) => Promise.resolve({ sentence: `Write ${n}` }),
					run: ({ n }) => Promise.resolve({ output: runs.push(n), isError: false as const })
				});
				let [writes, kill] = [left, () => {}];
				const killed = new Promise<void>((resolve) => (kill = resolve));
				isKilled = false;
				/** Does a write, or is killed before or right after it. */
				const until = async <T>(work: () => Promise<T>): Promise<T> => {
					if (writes-- !== 0) return work();
					if (isDone) await work();
					isKilled = true;
					kill();
					return never;
				};
				const store = new TurnStore(db, unfenced);
				const real = new Checkpoints(db, unfenced);
				const staging = { tools: [write], allowed: ['write'] };
				await Promise.race([
					killed,
					turn.run(new Worker([]), {
						...staging,
						failing: {
							journal: (...all) => until(() => store.journal(...all)),
							answer: (...all) => until(() => store.answer(...all)),
							result: (...all) => until(() => store.result(...all)),
							end: (...all) => until(() => store.end(...all))
						},
						checkpoints: { of: (...all) => real.of(...all), begin: (...all) => until(() => real.begin(...all)) }
					})
				]);
				if (isKilled) kills++;
				let questions = 0;
				for (let end: TurnEvent | undefined; end?.type !== 'turn-end' || end.status !== 'success'; ) {
					const path = await new Messages(db).all(turn.id);
					if (path.at(-1)?.parts.some(({ type }) => type === 'text') && path.at(-1)?.role === 'assistant') break;
					const caller = path.findLast(({ role }) => role === 'assistant')?.id;
					const parentId = path.at(-1)!.id;
					end = (await turn.run(new Worker([]), { ...staging, parentId })).at(-1);
					if (end?.type !== 'turn-end' || end.status !== 'waiting') continue;
					questions++;
					const [state] = await real.of(turn.id, caller!);
					expect(state).toMatchObject({ begun: true });
					await real.decide(turn.id, { answerId: caller!, toolCallId: state!.toolCallId, decided: 'denied' });
				}
				expect(runs.length + questions).toBeGreaterThanOrEqual(2);
				expect(new Set(runs).size).toBe(runs.length);
				expect(questions).toBeLessThanOrEqual(1);
				expect((await resultsOf(db, turn.id)).flatMap(({ parts }) => parts.map((part) => part.type === 'tool-result' && part.toolCallId))).toEqual(['a', 'b']);
				expect(await db.checkpoints.count()).toBe(0);
			}
		}
		expect(kills).toBeGreaterThan(10);
	});

	it('[R2] a stop while a tool runs ends it, with what is stored by then', async () => {
		const db = openDatabase();
		const turn = await asked(db);
		let signal: AbortSignal | undefined;
		const slow: Tool = { ...double, run: (_, context) => ((signal = context.signal), setTimeout(turn.stop), never) };
		const script = [say('Wait.'), call('double', '{"n":1}'), finish('tool-calls')];
		expect((await turn.run(new ScriptedModel(script), { tools: [slow] })).at(-1)).toEqual(interrupted);
		expect(signal?.aborted).toBe(true);
		expect(await turn.answers()).toMatchObject([{ parts: [{ text: 'Wait.' }, { type: 'tool-call' }] }]);
		expect(await resultsOf(db, turn.id)).toEqual([]);
		expect(await turn.row()).toMatchObject({ status: 'interrupted', stopReason: 'You stopped it.' });
	});

	it('[R1] [R2] a step that fails leaves those before it, and the turn goes on from there', async () => {
		const db = openDatabase();
		const turn = await asked(db);
		const script: ScriptStep[] = [call('double', '{"n":1}'), finish('tool-calls')];
		const offline = new AppError('server-down', 'You are offline.');
		const model = new ScriptedModel(script);
		const events = await turn.run(model, {
			tools: [double],
			onEvent: ({ type }) => void (type === 'result' && script.splice(0, Infinity, say('Tw'), { type: 'error', error: offline }))
		});
		expect(events.at(-1)).toEqual({ type: 'turn-end', status: 'failed', failure: offline });
		expect(await turn.row()).toMatchObject({ status: 'failed', stopReason: 'You are offline.' });
		const [result] = await resultsOf(db, turn.id);
		expect(await turn.draft()).toMatchObject({ parentId: result!.id, parts: spoken('Tw') });
		expect(await turn.answers()).toHaveLength(1);
	});
});
