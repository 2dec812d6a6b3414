import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../../tests/fixtures/database';
import { openPlanner } from '../../../../tests/fixtures/planner';
import { finish, never, say, ScriptedModel } from '../../../../tests/fixtures/scripted-model';
import { maxSummary, summaryTag } from '../../conversation/boundary';
import type { ContextOverrides } from '../../conversation/context-settings';
import type { Role } from '../../conversation/message';
import { AppError } from '../../shared/app-error';
import { systemClock } from '../../shared/clock';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Boundaries } from '../../storage/boundaries';
import { Contexts } from '../../storage/contexts';
import { unfenced } from '../../storage/fence';
import { Messages } from '../../storage/messages';
import { redact } from '../../storage/redact';
import { Settings } from '../../storage/settings';
import { Trees } from '../../storage/trees';
import { atServer } from '../providers/answer-source';
import { toPrompt } from '../turns/prompt';
import { Writers } from '../turns/writers';
import { Compactor, type Compacted } from './compactor';

const source = atServer({ id: 'p', name: 'P', baseUrl: 'http://localhost/v1', createdAt: 0 }, 'parrot');

const sections =
	'## Files modified\n- src/main.ts: the loop\n## Key decisions\n- The garden is watered at dawn, since noon burns the leaves\n' +
	'## Important values\n- port 8080 and port 9999\n## Current state\n- Waiting for rain\n## Pending tasks\n- None';

/** Compaction by rules above so many messages, which no chat is compacted by unless it is set. */
const byRules = { strategy: 'code-aware', cheapMessages: 50 } as const satisfies ContextOverrides;

/** A session of so many messages below its system prompt, and what compacts it. */
async function conversation(
	count: number,
	{
		model = new ScriptedModel([say(sections), finish('stop', { input: 100, output: 50 })]),
		settings = byRules as ContextOverrides,
		flush = () => Promise.resolve()
	} = {}
) {
	const db = openDatabase();
	const session = newSession();
	const text = (n: number) => `Message ${n} says that src/main.ts listens on port 8080.`;
	const messages = Array.from({ length: count }, (_, n) => newMessage((n % 2 ? 'assistant' : 'user') as Role, text(n + 1), n % 2 ? { finishReason: 'stop' } : {}));
	await append(db, { session, messages: [newMessage('system', 'Be brief.'), ...messages] });
	await new Settings(db).set('context', settings);
	const planner = openPlanner(db);
	const compacted: Compacted[] = [];
	const announced: { covered: object; boundaries: object[] }[] = [];
	const compactor = new Compactor({
		db,
		clock: systemClock,
		newId,
		writers: new Writers({ locks: navigator.locks, trees: new Trees(db), settle: () => Promise.resolve() }),
		planner,
		source: () => Promise.resolve(source),
		openModel: () => Promise.resolve(model),
		beforeBoundary: async ({ sessionId, upToId, depth, excluded }) => {
			await flush();
			announced.push({ covered: { sessionId, upToId, depth, excluded }, boundaries: await new Boundaries(db).ofSession(session.id) });
		},
		onCompacted: (one) => compacted.push(one)
	});
	const view = async () => planner.view((await planner.rows(session.id))!, source);
	return {
		db,
		id: session.id,
		compactor,
		compacted,
		announced,
		messages,
		model,
		view,
		all: () => new Messages(db).all(session.id),
		boundaries: () => new Boundaries(db).ofSession(session.id),
		prompt: async () => toPrompt((await view()).plan, new Map())
	};
}

describe('a compaction', () => {
	it('[A10] [S10] is a summary that is sent in the place of older messages; none of these changes, and undoing it brings them back', async () => {
		const { id, compactor, all, boundaries, prompt, messages, announced } = await conversation(60);
		const [rows, before] = [await all(), await prompt()];
		const proposal = await compactor.propose(id, 'code-aware');
		expect(await boundaries()).toEqual([]);
		expect(proposal.figures).toMatchObject({ messagesBefore: 61, messagesAfter: 8 });
		expect(proposal.figures.tokensAfter).toBeLessThan(proposal.figures.tokensBefore);
		const boundary = await compactor.accept(proposal, proposal.summary);
		expect(announced).toEqual([{ covered: { sessionId: id, upToId: messages[53]!.id, depth: 54, excluded: [] }, boundaries: [] }]);
		expect(boundary).toMatchObject(announced[0]!.covered);

		const sent = await prompt();
		expect(sent).toHaveLength(7);
		expect(sent[0]!.content).toContain(`Be brief.\n\n${summaryTag}\n`);
		expect(sent[0]!.content).toMatch(/Date: \d{4}-\d\d-\d\d/);
		expect(JSON.stringify(sent.slice(1))).toContain('Message 55');
		expect(JSON.stringify(sent.slice(1))).not.toContain('Message 54');
		expect(await all()).toEqual(rows);

		const undone = await compactor.undo(boundary.id);
		expect(await prompt()).toEqual(before);
		await compactor.redo(undone!);
		expect(await prompt()).toEqual(sent);
	});

	it('[S10] is not made where what must be done before it fails', async () => {
		const { id, compactor, boundaries } = await conversation(60, { flush: () => Promise.reject(new Error('the memory is full')) });
		const proposal = await compactor.propose(id);
		await expect(compactor.accept(proposal, proposal.summary)).rejects.toThrow('the memory is full');
		expect(await boundaries()).toEqual([]);
	});

	it('[Z6] `simple` keeps the ten newest', async () => {
		const { id, compactor } = await conversation(60);
		expect((await compactor.propose(id, 'simple')).figures).toMatchObject({ messagesBefore: 61, messagesAfter: 12 });
	});

	it('[A10] takes the summary as the user leaves it, and refuses an empty one and one that no backup could bring back', async () => {
		const { id, compactor, prompt } = await conversation(20);
		const proposal = await compactor.propose(id, 'simple');
		await expect(compactor.accept(proposal, '  ')).rejects.toMatchObject({ code: 'summary-empty' });
		await expect(compactor.accept(proposal, 'a'.repeat(maxSummary + 1))).rejects.toMatchObject({ code: 'summary-too-long' });
		const boundary = await compactor.accept(proposal, 'We spoke of gardens.');
		expect(boundary.figures.tokensAfter).toBeLessThan(proposal.figures.tokensAfter);
		expect(JSON.stringify(await prompt())).toContain('We spoke of gardens.');
	});

	it('[A10] has nothing to do in a short conversation, nor right after another', async () => {
		const short = await conversation(6);
		await expect(short.compactor.propose(short.id)).rejects.toMatchObject({ code: 'nothing-to-compact' });
		const { id, compactor } = await conversation(40);
		const proposal = await compactor.propose(id);
		await compactor.accept(proposal, proposal.summary);
		await expect(compactor.propose(id)).rejects.toMatchObject({ code: 'nothing-to-compact' });
	});

	it('[Z6] the next one is made of the messages, never of the summary before', async () => {
		const { db, id, compactor, prompt } = await conversation(40);
		const first = await compactor.propose(id, 'simple');
		await compactor.accept(first, 'THE FIRST SUMMARY');
		await append(db, { session: id, fence: unfenced, messages: Array.from({ length: 20 }, (_, n) => newMessage(n % 2 ? 'assistant' : 'user', `Later ${n}`)) as never });
		const second = await compactor.propose(id, 'simple');
		expect(second.depth).toBe(first.depth + 20);
		expect(second.summary).toContain('Message 1 ');
		await compactor.accept(second, second.summary);
		expect(JSON.stringify(await prompt())).not.toContain('THE FIRST SUMMARY');
	});

	it('is voided by redacting what it covers, and back when that is undone', async () => {
		const { db, id, compactor, messages, prompt, boundaries } = await conversation(40);
		const proposal = await compactor.propose(id, 'simple');
		await compactor.accept(proposal, proposal.summary);
		await redact(db, messages[3]!.id, Date.now(), unfenced);
		expect(await boundaries()).toEqual([]);
		expect(JSON.stringify(await prompt())).not.toContain(summaryTag);
	});
});

describe('what is excluded', () => {
	const secret = (text: unknown) => JSON.stringify(text).includes('Message 4 ');

	it.each(['simple', 'code-aware', 'role-budget', 'summary'] as const)('[S7] is told by no summary, nor to the model that writes one: %s', async (strategy) => {
		const { db, id, compactor, messages, model, prompt } = await conversation(40);
		const contexts = new Contexts(db);
		await contexts.exclude(id, messages[3]!.id, true, unfenced);
		const proposal = await compactor.propose(id, strategy);
		expect(secret(model.prompts)).toBe(false);
		// The system prompt is one; neither the excluded one nor the summary was there before.
		expect(proposal.figures.messagesBefore).toBe(40);
		const boundary = await compactor.accept(proposal, proposal.summary);
		expect(secret(boundary)).toBe(false);
		expect(boundary.excluded).toEqual([messages[3]!.id]);
		expect(JSON.stringify(await prompt())).toContain(summaryTag);
		expect(secret(await prompt())).toBe(false);
	});

	it('[S7] takes the other messages of its tool calls with it', async () => {
		const { db, id, compactor } = await conversation(10);
		const call = { type: 'tool-call' as const, toolCallId: 'a', toolName: 'search', input: { q: 'zanzibar' } };
		const result = { type: 'tool-result' as const, toolCallId: 'a', toolName: 'search', output: 'zanzibar is far', isError: false };
		const unit = await append(db, {
			session: id, fence: unfenced,
			messages: [
				newMessage('assistant', '', { parts: [call], finishReason: 'tool-calls' }),
				newMessage('tool', '', { parts: [result] }),
				...Array.from({ length: 20 }, (_, n) => newMessage(n % 2 ? 'assistant' : 'user', `Later ${n}`))
			]
		});
		expect((await compactor.propose(id, 'role-budget')).summary).toContain('zanzibar');
		await new Contexts(db).exclude(id, unit[1]!.id, true, unfenced);
		expect((await compactor.propose(id, 'role-budget')).summary).not.toContain('zanzibar');
	});

	it('[S7] [A10] voids the summaries that tell it, and brings them back when it is included again', async () => {
		const { db, id, compactor, messages, prompt, boundaries } = await conversation(40);
		const contexts = new Contexts(db);
		const proposal = await compactor.propose(id, 'simple');
		await compactor.accept(proposal, proposal.summary);
		const before = await prompt();
		expect(secret(before)).toBe(true);

		await contexts.exclude(id, messages[3]!.id, true, unfenced);
		expect(secret(await prompt())).toBe(false);
		expect(JSON.stringify(await prompt())).not.toContain(summaryTag);
		// A new one takes its place, and goes itself when that is told again.
		const without = await compactor.propose(id, 'simple');
		await compactor.accept(without, without.summary);
		expect(JSON.stringify(await prompt())).toContain(summaryTag);
		expect(secret(await prompt())).toBe(false);

		await contexts.exclude(id, messages[3]!.id, false, unfenced);
		expect(await prompt()).toEqual(before);
		expect(await boundaries()).toHaveLength(2);
	});

	it('[S7] the sections of an earlier summary that told it are not taken over', async () => {
		const { db, id, compactor, messages, model } = await conversation(40, {
			model: new ScriptedModel([say(sections.replace('Waiting for rain', 'Waiting for zanzibar')), finish()])
		});
		const first = await compactor.propose(id, 'summary');
		await compactor.accept(first, first.summary);
		expect(first.summary).toContain('zanzibar');
		await new Contexts(db).exclude(id, messages[3]!.id, true, unfenced);
		model.prompts.length = 0;
		await compactor.propose(id, 'summary');
		expect(JSON.stringify(model.prompts)).toContain('Message 1 ');
		expect(secret(model.prompts)).toBe(false);
	});

	it('[S7] a summary that was read before is not kept, whichever way that was changed', async () => {
		const { db, id, compactor, messages, boundaries } = await conversation(40);
		const contexts = new Contexts(db);
		const before = await compactor.propose(id, 'simple');
		await contexts.exclude(id, messages[3]!.id, true, unfenced);
		await expect(compactor.accept(before, before.summary)).rejects.toMatchObject({ code: 'context-changed' });
		const without = await compactor.propose(id, 'simple');
		await contexts.exclude(id, messages[3]!.id, false, unfenced);
		await expect(compactor.accept(without, without.summary)).rejects.toMatchObject({ code: 'context-changed' });
		expect(await boundaries()).toEqual([]);
		// Messages that it does not cover change nothing, nor does a pin.
		await contexts.exclude(id, messages[39]!.id, true, unfenced);
		await contexts.pin(id, messages[3]!.id, true, unfenced);
		await compactor.accept(before, before.summary);
		expect(await boundaries()).toHaveLength(1);
	});

	it('[S7] pinned ones are told too, and pinning what a summary leaves out does not void it', async () => {
		const { db, id, compactor, messages, prompt } = await conversation(40);
		const contexts = new Contexts(db);
		await contexts.pin(id, messages[5]!.id, true, unfenced);
		await contexts.exclude(id, messages[3]!.id, true, unfenced);
		const { summary, ...proposal } = await compactor.propose(id, 'simple');
		expect(summary).toContain('Message 6 ');
		await compactor.accept({ ...proposal, summary }, summary);
		await contexts.pin(id, messages[3]!.id, true, unfenced);
		const sent = JSON.stringify(await prompt());
		expect(sent).toContain(summaryTag);
		expect(sent).toContain('Message 4 ');
	});
});

describe('a summary by the model', () => {
	it('[S6] has the five sections; a value that the messages do not have is marked', async () => {
		const { id, compactor, model } = await conversation(60);
		const proposal = await compactor.propose(id, 'summary');
		expect(proposal.strategy).toBe('summary');
		expect(proposal.summary.match(/^## .+$/gm)).toHaveLength(5);
		expect(proposal.unverified).toEqual(['9999']);
		expect(proposal.usage).toMatchObject({ inputTokens: 100, outputTokens: 50 });
		expect(JSON.stringify(model.prompts)).toContain('Message 54');
		expect(JSON.stringify(model.prompts)).not.toContain('Message 55');
	});

	it('[S6] reads what is longer than its window in pieces', async () => {
		const { id, compactor, model } = await conversation(100, { settings: { contextWindows: { 'p/parrot': 1024 } } });
		const seen: number[] = [];
		await compactor.propose(id, 'summary', { onProgress: ({ piece, pieces }) => seen.push(piece / pieces) });
		expect(model.prompts.length).toBeGreaterThan(2);
		expect(seen.at(-1)).toBe(1);
		for (const prompt of model.prompts) expect(JSON.stringify(prompt).length).toBeLessThan(1024 * 4);
	});

	it.each([
		['fails', new ScriptedModel([new AppError('server-down', 'The server is down.')]), 'The server is down.'],
		['says nothing useful', new ScriptedModel([say('Hm.'), finish()]), 'nothing that could be used']
	])('falls back to code-aware where the model %s, and says so', async (_, model, reason) => {
		const { id, compactor } = await conversation(60, { model });
		const proposal = await compactor.propose(id, 'summary');
		expect(proposal.strategy).toBe('code-aware');
		expect(proposal.note).toContain(reason);
		expect(proposal.summary).toContain('Message 54');
	});

	it('[S6] stops a model that goes in circles, and takes what it said once', async () => {
		const circle = Array.from({ length: 9 }, () => say('- Waiting for rain\n'));
		const model = new ScriptedModel([say(`${sections}\n`), ...circle, never]);
		const { id, compactor } = await conversation(60, { model });
		const { strategy, summary } = await compactor.propose(id, 'summary');
		expect(strategy).toBe('summary');
		// Once as the state, and once where it went round.
		expect(summary.match(/Waiting for rain/g)).toHaveLength(2);
		expect(model.cancelled).toBe(1);
	});

	it.each([
		['in small pieces', Array.from({ length: 5000 }, (_, n) => say(`- The note ${n} is kept\n`))],
		['at once', [say(Array.from({ length: 50_000 }, (_, n) => `- The note ${n} is kept\n`).join(''))]]
	])('[P8] ends a summary that goes far beyond its length, and takes what holds of it: %s', async (_, notes) => {
		const model = new ScriptedModel([say(`${sections}\n`), ...notes, never]);
		const { id, compactor } = await conversation(60, { model });
		let longest = 0;
		const onProgress = ({ text }: { text: string }) => (longest = Math.max(longest, text.length));
		const { strategy, summary } = await compactor.propose(id, 'summary', { onProgress });
		expect(strategy).toBe('summary');
		expect(summary).toContain('port 8080');
		expect(longest).toBeLessThan(20_000);
		expect(model.cancelled).toBe(1);
	});

	it('can be given up while the model writes', async () => {
		const { id, compactor, boundaries } = await conversation(60, { model: new ScriptedModel([say('## Files'), never]) });
		const abort = new AbortController();
		const proposing = compactor.propose(id, 'summary', { signal: abort.signal, onProgress: ({ text }) => text && abort.abort(new Error('enough')) });
		await expect(proposing).rejects.toThrow('enough');
		expect(await boundaries()).toEqual([]);
	});
});

describe('compaction by itself', () => {
	it('[A11] happens after a turn where it is due, is told, and can be undone', async () => {
		const { id, compactor, compacted, boundaries } = await conversation(60);
		await compactor.afterTurn(id);
		expect(compacted).toHaveLength(1);
		expect(compacted[0]!.boundary).toMatchObject({ automatic: true, strategy: 'code-aware', figures: { messagesBefore: 61, messagesAfter: 8 } });
		await compacted[0]!.undo();
		expect(await boundaries()).toEqual([]);
	});

	it('[Z6] not before the thresholds, nor where it is switched off', async () => {
		for (const [count, settings] of [[48, byRules], [60, { ...byRules, autoCompact: false }], [60, {}]] as const) {
			const { id, compactor, compacted } = await conversation(count, { settings });
			await compactor.afterTurn(id);
			expect(compacted).toEqual([]);
		}
	});

	it('[A11] counts from the last compaction: the next comes after as many messages again', async () => {
		const { db, id, compactor, boundaries } = await conversation(60);
		await compactor.afterTurn(id);
		await compactor.afterTurn(id);
		expect(await boundaries()).toHaveLength(1);
		await append(db, { session: id, fence: unfenced, messages: Array.from({ length: 40 }, (_, n) => newMessage(n % 2 ? 'assistant' : 'user', `Later ${n}`)) as never });
		await compactor.afterTurn(id);
		expect(await boundaries()).toHaveLength(1);
	});

	it('[A11] above its share of the window, by the model’s own summary where none is chosen', async () => {
		const { id, compactor, compacted } = await conversation(40, { settings: { contextWindows: { 'p/parrot': 1024 } } });
		await compactor.afterTurn(id);
		expect(compacted).toMatchObject([{ boundary: { automatic: true, strategy: 'summary' } }]);
	});

	it('[A11] never in a tool loop, nor before the user is answered', async () => {
		for (const last of [newMessage('user', 'And?'), newMessage('assistant', 'I look', { finishReason: 'tool-calls' })]) {
			const { db, id, compactor, compacted } = await conversation(60);
			await append(db, { session: id, fence: unfenced, messages: [last] });
			await compactor.afterTurn(id);
			expect(compacted).toEqual([]);
		}
	});

	it('gives way to the next turn', async () => {
		const { id, compactor, compacted, boundaries } = await conversation(60, {
			model: new ScriptedModel([never]),
			settings: { strategy: 'summary', summaryMessages: 30 }
		});
		const done = compactor.afterTurn(id);
		await new Promise((resolve) => setTimeout(resolve, 100));
		await compactor.giveWay();
		await done;
		expect(compacted).toEqual([]);
		expect(await boundaries()).toEqual([]);
	});
});
