import { describe, expect, test } from 'vitest';
import type { Plan, PlanItem } from '../context/plan';
import type { Boundary } from '../conversation/boundary';
import { defaultContextSettings } from '../conversation/context-settings';
import type { Message, Part } from '../conversation/message';
import type { ContextView } from '../engine/turns/context-view';
import type { ContextRows } from '../storage/context-rows';
import { linesOf, type ContextLine } from './context-lines';
import { compactionWords, countingWords, nextTurnWords, triggerWords, windowParts, windowSentence, windowWords } from './context-words';

const textPart = (text: string): Part => ({ type: 'text', text });

function message(depth: number, more: Partial<Message> = {}): Message {
	return {
		id: `m${depth}`,
		sessionId: 's',
		parentId: depth === 0 ? null : `m${depth - 1}`,
		depth,
		role: depth % 2 === 0 ? 'user' : 'assistant',
		parts: [textPart(`words of ${depth}`)],
		createdAt: 0,
		...more
	};
}

function item(depth: number, state: PlanItem['state'] = { in: true, reason: 'fits' }, more: Partial<Message> = {}): PlanItem {
	const whole = message(depth, more);
	return { message: whole, parts: whole.parts, tokens: 10 + depth, state };
}

/** The plan and the rows of a path whose newest messages are these items. */
function viewOf(items: PlanItem[], { plan = {}, rows = {} }: { plan?: Partial<Plan>; rows?: Partial<ContextRows> } = {}): ContextView {
	const pinned = rows.olderKept?.map(({ id }) => id) ?? [];
	return {
		plan: {
			system: '',
			summary: undefined,
			environment: '',
			items,
			unread: { count: 0, covered: 0 },
			window: 8192,
			reserve: 4096,
			toolTokens: 0,
			budget: 4096,
			totals: { system: 0, summary: 0, environment: 0, pinned: 0, messages: 0, total: 0 },
			wanted: 0,
			emergency: undefined,
			fits: true,
			...plan
		},
		rows: {
			session: {} as ContextRows['session'],
			endId: items.at(-1)?.message.id ?? '',
			endDepth: items.at(-1)?.message.depth ?? 0,
			questionId: undefined,
			system: '',
			nextSystem: undefined,
			path: items.map((one) => one.message).filter(({ id }) => id !== 'unsent' && !pinned.includes(id)),
			olderKept: [],
			unread: { count: 0, covered: 0 },
			boundary: undefined,
			pins: [],
			excludes: [],
			settings: defaultContextSettings,
			maxAnswer: undefined,
			scopes: { everywhere: {}, persona: {}, session: {} },
			notes: [],
			todo: '',
			calibrations: [],
			...rows
		},
		model: { key: 'k', name: 'tiny', window: 8192, windowFrom: 'engine', canSummarise: false },
		counting: { kind: 'estimate', errors: [] },
		triggers: [],
		compactsBy: undefined
	};
}

const ids = (lines: ContextLine[]) => lines.map(({ id }) => id);
const states = (lines: ContextLine[]) => lines.map((line) => ('state' in line ? line.state : line.words));
const boundary = { depth: 4, excluded: [] as string[] } as Boundary;

describe('the lines of the inspector', () => {
	test('[S7] say of each message whether it is sent and why', () => {
		const lines = linesOf(
			viewOf(
				[
					item(2, { in: false, reason: 'covered' }),
					item(3, { in: false, reason: 'count' }),
					item(4, { in: false, reason: 'stride' }),
					item(5, { in: false, reason: 'budget' }),
					item(6, { in: false, reason: 'orphan' }),
					item(7, { in: false, reason: 'dropped' }),
					item(8, { in: false, reason: 'excluded' }),
					item(9, { in: true, reason: 'pinned' }),
					item(10),
					item(11, { in: true, reason: 'fits', cut: 'image' }),
					item(12, { in: true, reason: 'recent', cut: 'result' }),
					item(13, { in: true, reason: 'recent' })
				],
				{ rows: { pins: ['m9'], excludes: ['m8'] } }
			),
			[]
		);
		expect(states(lines)).toEqual([
			'Sent (recent)',
			'Sent (recent), its tool result shortened',
			'Sent, without its images',
			'Sent',
			'Sent (pinned)',
			'Excluded',
			'Left out: makes room for the rest',
			'Left out: its tool call or result is missing',
			'Left out: no room',
			'Left out, so that the model need not read the start anew',
			'Left out: older than the newest 200',
			'Replaced by the summary'
		]);
		expect(lines.filter((line) => line.kind === 'message' && line.pinned).map(({ id }) => id)).toEqual(['m9']);
		expect(lines.filter((line) => line.kind === 'message' && line.excluded).map(({ id }) => id)).toEqual(['m8']);
		expect(lines[0]).toMatchObject({ name: 'Assistant', words: 'words of 13', tokens: 23, sent: true });
	});

	test('[S7] name who speaks, also where there are no words', () => {
		const call = item(1, undefined, { parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read_file', input: {} }] });
		const result = item(2, undefined, {
			role: 'tool',
			parts: [{ type: 'tool-result', toolCallId: 'c', toolName: 'read_file', output: { lines: 3 }, isError: false }]
		});
		const file = item(4, undefined, { parts: [{ type: 'file', attachmentId: 'a', mediaType: 'text/plain', name: 'plan.txt' }] });
		const redacted = item(6, undefined, { parts: [{ type: 'redacted', at: 0 }] });
		const unsent = item(7, { in: true, reason: 'recent' }, { id: 'unsent', role: 'user' });
		const lines = linesOf(viewOf([call, result, file, redacted, unsent]), []);
		expect(lines.map((line) => ('name' in line ? `${line.name}: ${line.words}` : ''))).toEqual([
			'Not sent yet: words of 7',
			'You: Text erased',
			'You: plan.txt',
			'Tool read_file: {"lines":3}',
			'Assistant: Calls read_file'
		]);
	});

	test('[A9, S7] put what was not read into one line, and pinned messages from before below it', () => {
		const view = viewOf([item(3, { in: true, reason: 'pinned' }), item(10), item(11)], {
			plan: { unread: { count: 9, covered: 4 } },
			rows: { olderKept: [message(3)], pins: ['m3'], boundary }
		});
		const lines = linesOf(view, []);
		expect(ids(lines)).toEqual(['m11', 'm10', 'unread', 'm3']);
		expect(states(lines)[2]).toBe('9 older messages: 4 replaced by the summary, 5 left out: older than the newest 200.');
	});

	test('[A9, S7] give older messages their own lines and reasons once they are read', () => {
		const view = viewOf([item(3, { in: true, reason: 'pinned' }), item(8), item(9)], {
			plan: { unread: { count: 6, covered: 3 } },
			rows: { olderKept: [message(3)], pins: ['m3'], excludes: ['m6'], boundary }
		});
		const some = linesOf(view, [message(4), message(5), message(6), message(7)]);
		expect(ids(some)).toEqual(['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'unread', 'm3']);
		expect(states(some).slice(2, 7)).toEqual([
			'Left out: older than the newest 200',
			'Excluded',
			'Left out: older than the newest 200',
			'Replaced by the summary',
			'2 older messages, replaced by the summary.'
		]);
		const all = linesOf(
			view,
			[message(0, { role: 'system' }), ...[1, 2, 3, 4, 5, 6, 7].map((depth) => message(depth))]
		);
		expect(ids(all)).toEqual(['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2', 'm1']);
	});

	test('[S4, S7] end with what goes before the messages', () => {
		const lines = linesOf(
			viewOf([item(5)], {
				plan: {
					system: 'Be brief.',
					summary: { boundary, text: '[COMPACTION SUMMARY]\nThey spoke of Rome.', cut: true },
					environment: 'Today is Monday.',
					totals: { system: 5, summary: 9, environment: 7, pinned: 0, messages: 15, total: 36 }
				}
			}),
			[]
		);
		expect(ids(lines)).toEqual(['m5', 'environment', 'summary', 'system']);
		expect(lines.slice(1)).toMatchObject([
			{ tokens: 7 },
			{ tokens: 9, words: '[COMPACTION SUMMARY] They spoke of Rome.', state: 'Sent instead of 4 messages, cut to fit' },
			{ tokens: 5, words: 'Be brief.', state: 'Sent first' }
		]);
	});
});

describe('what the inspector says', () => {
	test('[S7] of the next message', () => {
		const items = [item(0, { in: false, reason: 'budget' }), item(1, { in: true, reason: 'recent', cut: 'text' }), item(2)];
		const totals = { system: 0, summary: 0, environment: 0, pinned: 0, messages: 6120, total: 6120 };
		const view = viewOf(items, { plan: { totals } });
		expect(nextTurnWords({ ...view, compactsBy: 'code-aware' })).toEqual([
			`The next message sends 2 messages, ${(6120).toLocaleString()} of ${(8192).toLocaleString()} tokens.`,
			'There is no room for 1 more message.',
			'1 message has to be cut to fit.',
			'After that, the chat is compacted (code-aware).'
		]);
		const one = viewOf([item(1)], { plan: { fits: false } });
		expect(nextTurnWords(one)).toEqual([
			expect.stringContaining('sends 1 message,'),
			'Even so it is too long for this model: exclude something, or make the message shorter.'
		]);
	});

	test('[A9, S7] of all messages that are left out, each for what keeps it out', () => {
		const out = (depth: number, reason: 'count' | 'stride' | 'budget' | 'covered') => item(depth, { in: false, reason });
		const byCount = viewOf([out(5, 'count'), out(6, 'stride'), out(7, 'stride'), item(8)], {
			plan: { window: Infinity, unread: { count: 449, covered: 50 } },
			rows: { settings: { ...defaultContextSettings, contextMessages: 2000 } }
		});
		expect(nextTurnWords(byCount)).toEqual([
			expect.stringContaining('sends 1 message,'),
			`400 older messages are left out: at most the newest ${(2000).toLocaleString()} are sent.`,
			'2 more are left out, so that the model need not read the start anew each time.'
		]);
		expect(nextTurnWords(viewOf([out(5, 'count'), item(6)]))[1]).toBe('1 older message is left out: at most the newest 200 are sent.');
		expect(nextTurnWords(viewOf([out(5, 'budget'), out(6, 'budget'), out(7, 'stride'), item(8)])).slice(1)).toEqual([
			'There is no room for 2 more.',
			'1 more is left out, so that the model need not read the start anew each time.'
		]);
		expect(nextTurnWords(viewOf([out(5, 'covered'), item(6)], { plan: { unread: { count: 9, covered: 9 } } }))).toHaveLength(1);
	});

	test('[S7] that nothing is left out, only where that is so', () => {
		const words = (items: PlanItem[], { window = Infinity, unread = 0 } = {}) => {
			const view = viewOf(items, { plan: { window, unread: { count: 3 + unread, covered: 3 } } });
			return windowSentence({ ...view, model: { ...view.model, window, windowFrom: 'unknown' } }).split('. ')[0];
		};
		expect(words([item(4, { in: false, reason: 'covered' }), item(5)])).toBe('Context size unknown, so nothing is left out');
		for (const reason of ['count', 'stride', 'orphan', 'excluded'] as const) {
			expect(words([item(4, { in: false, reason }), item(5)])).toBe('Context size unknown, so nothing is left out for lack of room');
		}
		expect(words([item(5)], { unread: 1 })).toBe('Context size unknown, so nothing is left out for lack of room');
		const guessed = viewOf([item(5)]);
		const model = { ...guessed.model, window: 3072, windowFrom: 'unknown' as const };
		expect(windowSentence({ ...guessed, model })).toBe(
			`Context size unknown. Since the server said that a prompt was too long, Snug goes by ${(3072).toLocaleString()} tokens until this page is loaded again.`
		);
		expect(windowWords(model)).toBe(`${(3072).toLocaleString()} tokens, guessed, since a prompt was too long`);
	});

	test('[Z6, S5] of what a chat is compacted after, also where that is nothing', () => {
		const view = viewOf([]);
		const settings = (own: Partial<ContextRows['settings']>) => ({ rows: { ...view.rows, settings: { ...defaultContextSettings, ...own } } });
		const triggers = [{ name: 'window' as const, value: 1, limit: 2 }];
		expect(compactionWords({ ...view, triggers })).toBe('After a turn, when one of these is full.');
		expect(compactionWords({ ...view, triggers, ...settings({ autoCompact: false }) })).toBe('Off. It would be due when one of these is full.');
		expect(compactionWords({ ...view, ...settings({ autoCompact: false }) })).toBe('Off in the settings.');
		// The limits of another strategy are none of its own.
		expect(compactionWords({ ...view, ...settings({ cheapMessages: 50, strategy: 'summary' }) })).toBe(
			'Off: the context size is not known, and the strategy “summary” has no other limit to compact at.'
		);
	});

	test('[S4] of the window: its parts make it up', () => {
		const unsent = item(3, { in: true, reason: 'recent' }, { id: 'unsent' });
		const { plan } = viewOf([item(2), unsent], {
			plan: { toolTokens: 96, budget: 4000, totals: { system: 100, summary: 0, environment: 0, pinned: 50, messages: 500, total: 650 } }
		});
		const parts = windowParts(plan);
		expect(Object.fromEntries(parts.map(({ name, tokens }) => [name, tokens]))).toEqual({
			system: 100,
			pinned: 50,
			messages: 487,
			unsent: 13,
			tools: 96,
			reserve: 4096,
			free: 3350
		});
		expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(plan.window);
		const unknown = windowParts({ ...plan, window: Infinity, toolTokens: 0, budget: Infinity });
		expect(unknown.map(({ name }) => name)).toEqual(['system', 'pinned', 'messages', 'unsent']);
		const model = { ...viewOf([]).model, window: 1000, windowFrom: 'file' as const };
		expect(windowSentence({ plan, model })).toBe(`Context size of tiny: ${(1000).toLocaleString()} tokens, from the model’s file.`);
		expect(windowWords({ window: 1000, windowFrom: 'server' })).toBe(`${(1000).toLocaleString()} tokens, reported by the server`);
	});

	test('[S7] of how tokens are counted, and how far off that was', () => {
		expect(countingWords({ kind: 'exact', errors: [] })).toBe('Counted with the model’s own tokenizer.');
		expect(countingWords({ kind: 'estimate', errors: [] })).toBe('Estimate; the model has not reported a count yet.');
		expect(countingWords({ kind: 'estimate', errors: [0.04, -0.021, 0.001, 0.5] })).toBe(
			'Estimate; recent ones were within about 4 %.'
		);
		expect(countingWords({ kind: 'estimate', errors: [0.32, -0.15] })).toBe('Estimate; recent ones were within about 30 %.');
		expect(countingWords({ kind: 'tokenizer', errors: [0] })).toContain('; recent counts were right.');
		expect(countingWords({ kind: 'estimate', errors: [0.82] })).toBe('Rough estimate; recent ones were off by up to 80 %.');
		expect(countingWords({ kind: 'exact', errors: [0, -0.011, 0] })).toContain('; recent counts were within about 2 %.');
	});

	test('[S5, A11] of the distance to each reason for compaction', () => {
		expect(triggerWords({ name: 'messages', value: 34, limit: 50 }, true)).toEqual({
			label: 'Messages since the last compaction',
			figures: '34 of 50'
		});
		expect(triggerWords({ name: 'bytes', value: 12 * 1024, limit: 32 * 1024 }, false)).toEqual({
			label: 'Kilobytes since the beginning',
			figures: '12 of 32'
		});
	});
});
