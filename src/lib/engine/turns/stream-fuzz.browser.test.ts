import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { maxStallMs } from '../../../../tests/fixtures/max-stall';
import { at, nasty, numRuns, place, seed, stallOf } from '../../../../tests/fixtures/mutations';
import { openPlanner } from '../../../../tests/fixtures/planner';
import { AppError } from '../../shared/app-error';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Checkpoints } from '../../storage/checkpoints';
import type { Database } from '../../storage/database';
import { examine } from '../../storage/examine';
import { unfenced } from '../../storage/fence';
import { openAsItIs } from '../../storage/raw-database';
import { TurnStore } from '../../storage/turn-store';
import { maxAnswer } from '../providers/answer-limits';
import { atServer } from '../providers/answer-source';
import { guardedModel } from '../providers/guarded-model';
import { openAiCompatible } from '../providers/openai-compatible';
import { openAt } from '../providers/server-provider';
import { Journal } from './journal';
import { noTools } from './toolbox';
import { runTurn, type TurnEvent } from './turn';

const apiKey = 'sk-canary-4711-0815-2342';
const server = { id: newId(), name: 'Box', baseUrl: 'https://box.example/v1', createdAt: 0, apiKey };

/** An answer with everything that servers send. */
const events: unknown[] = [
	{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
	{ id: 'c', choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] },
	{ id: 'c', choices: [{ index: 0, delta: { content: 'Hel' }, logprobs: null }] },
	{ id: 'c', choices: [{ index: 0, delta: { content: 'lo' } }] },
	{ id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 't', type: 'function', function: { name: 'look', arguments: '{"a":' } }] } }] },
	{ id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '1}' } }] } }] },
	{ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
	{ id: 'c', choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12, prompt_tokens_details: { cached_tokens: 4 }, cost: 0.1 } },
	{ error: { message: 'Overloaded', type: 'server_error', code: 503 } }
];

/** Words that stand for too much to be read where a stream is printed. */
const large = { '(deep)': `data: ${'['.repeat(5000)}`, '(long)': `data: ${'z'.repeat(2 ** 20)}`, '(many)': `data: {"choices":[${'1,'.repeat(500_000)}1]}`, '(as long as an answer)': 'y'.repeat(maxAnswer - 5) };

/** The most times that each of them stands in a stream. */
const maxLarge = 4;

const value = fc.oneof(nasty, fc.constantFrom(apiKey, apiKey.slice(3), '(as long as an answer)', -Infinity, '[DONE]', 'data: {}\n\n'));
const line = fc.oneof(
	fc.constantFrom(': comment', 'event: error', 'data:', 'data: {', 'data: null', 'data: []', 'data: [DONE]', 'id: 1', 'retry: 0', '', '\0', '<html>', 'data: {"choices":[{}]}'),
	fc.constantFrom('(deep)', '(long)'),
	fc.string()
);
const mutation = fc.record({
	kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'copy', 'many', 'swap', 'drop', 'line'),
	index: fc.nat(1000),
	path: place,
	value,
	line
});
const hostile = fc.record({
	mutations: fc.array(mutation, { maxLength: 8 }),
	status: fc.constantFrom(200, 200, 200, 200, 200, 201, 400, 401, 429, 500),
	type: fc.constantFrom('text/event-stream', 'text/event-stream', 'text/event-stream; charset=utf-16', 'application/json', 'text/html', ''),
	bytes: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 3 }),
	cut: fc.option(fc.nat()),
	chunk: fc.constantFrom(1, 7, 1000, 65_536),
	end: fc.constantFrom('close', 'close', 'close', 'break', 'stay')
});
type Hostile = typeof hostile extends fc.Arbitrary<infer T> ? T : never;

function bodyOf({ mutations, bytes, cut }: Hostile): Uint8Array<ArrayBuffer> {
	let all: unknown[] = structuredClone(events.slice(0, -1));
	for (const { kind, index, path, value, line } of mutations) {
		const here = index % all.length;
		const event = all[here];
		if (kind === 'replace' && typeof event === 'object') at(event, path, (holder, field) => (holder[field] = value));
		else if (kind === 'remove' && typeof event === 'object') at(event, path, (holder, field) => delete holder[field]);
		else if (kind === 'copy') all.splice(here, 0, structuredClone(events[index % events.length]));
		else if (kind === 'many') all.splice(here, 0, ...Array.from({ length: JSON.stringify(event).length < 1000 ? 2000 : 2 }, () => event));
		else if (kind === 'swap') all = all.toReversed();
		else if (kind === 'line') all.splice(here, 0, line);
		else if (all.length > 1) all.splice(here, 1);
	}
	const lines = all.map((event) => (typeof event === 'string' ? `${event}\n` : `data: ${JSON.stringify(event)}\n\n`));
	let text = `${lines.join('')}data: [DONE]\n\n`;
	for (const [word, stands] of Object.entries(large)) {
		let left = maxLarge;
		text = text.replaceAll(word, () => (left-- > 0 ? stands : word));
	}
	const body = new TextEncoder().encode(text);
	for (const { at, byte } of bytes) body[at % body.length] = byte;
	return cut === null ? body : body.slice(0, cut % body.length);
}

function nextTask(): Promise<void> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(undefined);
	});
}

/** The answer as `fetch` would give it: an abort breaks it off. */
function responseOf(stream: Hostile, body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Response {
	// At most 500 pieces: each is read by itself.
	const size = Math.max(stream.chunk, Math.ceil(body.length / 500));
	let from = 0;
	const source = new ReadableStream<Uint8Array>({
		start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
		async pull(controller) {
			// From a network each piece comes in a task of its own.
			await nextTask();
			if (from < body.length) controller.enqueue(body.slice(from, (from += size)));
			else if (stream.end === 'close') controller.close();
			else if (stream.end === 'break') controller.error(new TypeError('network error'));
			else await new Promise(() => undefined);
		}
	});
	return new Response(source, { status: stream.status, headers: { 'content-type': stream.type } });
}

/** Answers a question of a new session by such a stream. */
async function turnOf(db: Database, stream: Hostile, body: Uint8Array<ArrayBuffer>): Promise<TurnEvent[]> {
	const session = newSession();
	const path = await append(db, { session, messages: [newMessage('system', ''), newMessage('user', 'Hi')] });
	const store = new TurnStore(db, unfenced);
	const planner = openPlanner(db);
	const reach = { origin: 'https://snug.example', isThere: () => Promise.resolve(false) };
	const told: TurnEvent[] = [];
	const turn = runTurn({
		sessionId: session.id,
		parentId: path[1]!.id,
		openJournal: () => new Journal((answer) => store.journal(session.id, answer)),
		parameters: () => Promise.resolve({}),
		openToolbox: () => Promise.resolve(noTools),
		store,
		checkpoints: new Checkpoints(db, unfenced),
		plan: async (rows) => (await planner.view(rows, atServer(server, 'm'))).plan,
		openModel: async () =>
			guardedModel(await openAt(openAiCompatible, server, 'm', { reach, fetch: (_, init) => Promise.resolve(responseOf(stream, body, init!.signal!)), silenceMs: 300 })),
		signal: new AbortController().signal,
		newId,
		clock: () => 5000
	});
	for await (const event of turn) told.push(event);
	return told;
}

it(`[P8] whatever a server streams, the turn ends, with an answer within limits or a sentence (seed ${seed})`, { timeout: 120_000 + numRuns * 3000 }, async () => {
	const db = openDatabase();
	const reported = vi.spyOn(globalThis, 'reportError').mockImplementation(() => undefined);
	await fc.assert(
		fc.asyncProperty(hostile, async (stream) => {
			let told: TurnEvent[] = [];
			const body = bodyOf(stream);
			expect(await stallOf(async () => void (told = await turnOf(db, stream, body)))).toBeLessThan(maxStallMs);
			const end = told.at(-1);
			expect(told.filter(({ type }) => type === 'turn-end')).toEqual([end]);
			const lengths = { 'text-delta': 0, 'reasoning-delta': 0 };
			for (const event of told) if ('text' in event) lengths[event.type] += event.text.length;
			expect(Math.max(...Object.values(lengths))).toBeLessThanOrEqual(maxAnswer);
			if (end?.type === 'turn-end' && end.status === 'failed') {
				if (end.failure.code === 'unexpected') throw end.failure.cause;
				expect(end.failure).toBeInstanceOf(AppError);
				expect(end.failure.message).toMatch(/^[^a-z].*\.$/s);
			}
		}),
		{ numRuns, seed, endOnFailure: true }
	);
	const raw = (await openAsItIs(indexedDB, db.name))!;
	const { invalidRows, invalidSessions } = await examine(raw).finally(() => raw.close());
	expect({ invalidRows, invalidSessions }).toEqual({ invalidRows: [], invalidSessions: [] });
	const stored = JSON.stringify([await db.messages.toArray(), await db.answers.toArray(), await db.sessions.toArray()]);
	expect(stored).not.toContain(apiKey.slice(3));
	expect(reported).not.toHaveBeenCalled();
});
