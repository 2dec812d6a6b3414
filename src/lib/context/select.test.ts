import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, conversations, gives, pathOf, says, shows, type Said } from '../../../tests/fixtures/conversations';
import { summaryTag, type Boundary } from '../conversation/boundary';
import type { Message } from '../conversation/message';
import { estimateCounter } from './estimate';
import type { ContextInput, Plan, PlanItem } from './plan';
import { selectContext, summaryShare } from './select';
import { unitsOf, type Unit } from './units';

const count = estimateCounter(1);

function inputFor(path: Message[], more: Partial<ContextInput> = {}): ContextInput {
	return {
		system: '',
		path,
		olderKept: [],
		unread: { count: 0, covered: 0 },
		boundary: undefined,
		pins: new Set(),
		excludes: new Set(),
		settings: { contextMessages: 200, responseReserve: 4096, minRecent: 2 },
		window: 1_000_000,
		toolTokens: 0,
		overhead: 0,
		environment: '',
		count,
		...more
	};
}

function boundaryUpTo(covered: Message[], summary: string): Boundary {
	return {
		id: 'b',
		sessionId: 's',
		upToId: covered.at(-1)!.id,
		depth: covered.at(-1)!.depth,
		excluded: [],
		strategy: 'simple',
		summary,
		figures: { messagesBefore: 0, messagesAfter: 0, tokensBefore: 0, tokensAfter: 0 },
		madeAtDepth: covered.at(-1)!.depth + 6,
		automatic: false,
		unverified: [],
		createdAt: 1
	};
}

const numbers = (most: number): fc.Arbitrary<number[]> =>
	fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(fc.nat(60), { maxLength: most, size: 'max' }));

/** Anything that may be asked for: pins and excludes anywhere, messages that were not read, and windows that are too small. */
const inputs: fc.Arbitrary<ContextInput> = fc
	.record({
		all: conversations,
		read: fc.integer({ min: 1, max: 40 }),
		covered: fc.option(fc.nat(30)),
		summary: fc.array(fc.constantFrom('- Watered at dawn.', '', '公园散步', 'x'.repeat(300)), { maxLength: 30, size: 'max' }),
		pins: numbers(4),
		excludes: numbers(8),
		asked: fc.option(fc.nat(60)),
		system: fc.constantFrom('', 'Be brief.', 'Be kind. '.repeat(300)),
		environment: fc.constantFrom('', '[ENVIRONMENT]\nDate: 2026-11-22'),
		contextMessages: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(200)),
		minRecent: fc.integer({ min: 1, max: 8 }),
		window: fc.oneof(fc.integer({ min: 256, max: 1500 }), fc.integer({ min: 256, max: 6000 }), fc.constant(200_000)),
		toolTokens: fc.constantFrom(0, 100),
		overhead: fc.constantFrom(0, 8),
		slack: fc.constantFrom(undefined, 0, 0.25, 0.6)
	})
	.map(({ all, read, covered, summary, pins, excludes, asked, contextMessages, minRecent, slack, ...rest }) => {
		const cut = Math.max(0, all.length - read);
		const pinned = new Set(pins.flatMap((index) => all[index]?.id ?? []));
		const isCompacted = covered !== null && covered > 0 && covered < all.length;
		const boundary = isCompacted ? boundaryUpTo(all.slice(0, covered), summary.join('\n')) : undefined;
		const older = all.slice(0, cut);
		const questionId = asked === null ? undefined : all.findLast(({ role }, index) => role === 'user' && index <= asked)?.id;
		const isKept = ({ id }: Message) => pinned.has(id) || id === questionId;
		const unread = older.filter((message) => !isKept(message));
		return inputFor(all.slice(cut), {
			...rest,
			boundary,
			questionId,
			olderKept: older.filter(isKept),
			unread: { count: unread.length, covered: unread.filter(({ depth }) => depth <= (boundary?.depth ?? -1)).length },
			pins: pinned,
			excludes: new Set(excludes.flatMap((index) => all[index]?.id ?? [])),
			settings: { contextMessages, minRecent, responseReserve: 128 },
			...(slack === undefined ? {} : { slack })
		});
	});

function holds(property: (input: ContextInput, plan: Plan) => void, numRuns = 200): void {
	fc.assert(
		fc.property(inputs, (input) => property(input, selectContext(input))),
		{ numRuns }
	);
}

const isIn = ({ state }: PlanItem) => state.in;

/** Sent, and not for being the question. */
const isInBesides = ({ state }: PlanItem) => state.in && state.reason !== 'question';

const reasonsOf = (plan: Plan) => plan.items.map(({ state }) => state.reason);

/** The items of a plan by units. */
function unitItems({ items }: Plan): PlanItem[][] {
	return unitsOf(items.map(({ message }) => message)).map(({ start, end }) => items.slice(start, end));
}

/** Each unit that is not pinned and that nothing but count and room speaks against, oldest first. */
function free(plan: Plan): PlanItem[][] {
	const hindered = ['pinned', 'question', 'excluded', 'covered', 'orphan'];
	return unitItems(plan).filter((items) => !items.every(({ state }) => hindered.includes(state.reason)));
}

const times = (count: number, reason: PlanItem['state']['reason']) => Array.from({ length: count }, () => reason);

const talk = (turns: number, length = 60): Said[] =>
	Array.from({ length: turns }, (_, turn): Said[] => [
		{ role: 'user', parts: [says(`Question ${turn}. `.repeat(length / 13))] },
		{ role: 'assistant', parts: [says(`Answer ${turn}. `.repeat(length / 11))] }
	]).flat();

// Before the others, which make the engine forget what it knew of the shapes of its arguments.
it('[S4] takes a few milliseconds for 5 000 messages with 200 tool calls, once they are read', () => {
	const step: Said[] = [
		{ role: 'assistant', parts: [calls('a', { q: 'rain' })] },
		{ role: 'tool', parts: [gives('a', { rows: [1, 2, 3] })] }
	];
	const stretch = [...talk(11, 200), ...step, { role: 'user' as const, parts: [says('So?')] }];
	const settings = { contextMessages: 100_000, responseReserve: 4096, minRecent: 6 };
	/** The shortest of many times: the machine may be busy with something else. */
	const timeFor = (steps: number) => {
		const path = structuredClone(pathOf(Array.from({ length: steps }, () => stretch).flat()));
		const times = Array.from({ length: 40 }, () => {
			const begun = performance.now();
			selectContext(inputFor(path, { settings, window: 128_000 }));
			return performance.now() - begun;
		});
		return Math.min(...times);
	};
	timeFor(200);
	const [few, many] = [timeFor(20), timeFor(200)];
	console.log(`500 messages: ${few.toFixed(2)} ms, 5000 messages: ${many.toFixed(2)} ms`);
	expect(many).toBeLessThan(25);
	expect(many / few).toBeLessThan(40);
});

describe('what is selected', () => {
	it('[S4] is never above the budget, unless the plan says that it does not fit', () => {
		holds((_, plan) => {
			const { system, summary, environment, pinned, messages, total } = plan.totals;
			expect(total).toBe(system + summary + environment + pinned + messages);
			expect(pinned + messages).toBe(plan.items.filter(isIn).reduce((sum, { tokens }) => sum + tokens, 0));
			expect(plan.fits).toBe(total <= plan.budget);
			// Then there is nothing left but the newest and the question.
			if (!plan.fits) expect(unitItems(plan).filter((items) => items.some(isInBesides)).length).toBeLessThanOrEqual(1);
		});
	});

	it('[S4] counts each message as it is sent', () => {
		holds((_, plan) => {
			for (const { message, parts, tokens, state } of plan.items) {
				expect(tokens).toBe(count.message(state.in ? { ...message, parts } : message));
				if (!state.in) expect(parts).toEqual([]);
			}
		});
	});

	it('[A9] never parts a call from its results', () => {
		holds((_, { items }) => {
			const sent = items.filter(isIn).map(({ message, parts }, depth) => ({ ...message, parts, depth }));
			for (const { whole } of unitsOf(sent)) expect(whole).toBe(true);
		});
	});

	it('[E6] has every message once, in the order of the path, also of those that came in one millisecond', () => {
		holds((input, plan) => {
			expect(plan.items.map(({ message }) => message)).toEqual([...input.olderKept, ...input.path]);
			const atOnce = (messages: Message[]) => messages.map((message) => ({ ...message, createdAt: 1 }));
			const burst = selectContext({ ...input, path: atOnce(input.path), olderKept: atOnce(input.olderKept) });
			expect(reasonsOf(burst)).toEqual(reasonsOf(plan));
		});
	});

	it('[A9] has at most so many messages besides older pinned ones and the question, or the newest unit alone', () => {
		holds(({ settings }, plan) => {
			const units = unitItems(plan).map((items) => items.filter(isIn));
			const unpinned = units.filter((items) => items.some(({ state }) => state.reason !== 'pinned' && state.reason !== 'question'));
			const newest = units.findLast(({ length }) => length > 0)?.length ?? 0;
			expect(unpinned.flat().length).toBeLessThanOrEqual(Math.max(settings.contextMessages, newest));
		});
	});

	it('[S4] is filled from the newest on without a gap, and as far as there is room', () => {
		fc.assert(
			fc.property(inputs, (input) => {
				const plan = selectContext({ ...input, slack: 0 });
				if (plan.emergency) return;
				const units = free(plan);
				const left = units.findLastIndex((items) => !items.some(isIn));
				expect(units.slice(0, left + 1).flat().some(isIn)).toBe(false);
				const next = units[left];
				if (!next) return;
				const [{ sendable }] = unitsOf(next.map(({ message }) => message)) as [Unit];
				const sizes = sendable.flatMap((parts, index) => (parts ? [count.message({ ...next[index]!.message, parts })] : []));
				const newer = plan.items.slice(plan.items.indexOf(next.at(-1)!)).filter(isIn).length;
				const reason = next.find(({ state }) => state.reason !== 'orphan')!.state.reason;
				if (reason === 'count') expect(newer + sizes.length).toBeGreaterThan(input.settings.contextMessages);
				else expect([reason, sizes.reduce((a, b) => a + b, plan.totals.total) > plan.budget]).toEqual(['budget', true]);
			}),
			{ numRuns: 200 }
		);
	});

	it('[S4] always has the newest ones, unless there are fewer to be sent or it is an emergency', () => {
		holds(({ settings }, plan) => {
			if (plan.emergency) return;
			const hindered = ['excluded', 'covered', 'orphan'];
			const least = Math.min(settings.minRecent, settings.contextMessages);
			const newest = plan.items.filter(({ state }) => !hindered.includes(state.reason)).slice(-least);
			for (const { state } of newest) expect(['recent', 'pinned', 'question', 'count']).toContain(state.reason);
			// Where the limit on messages comes first, a unit as a whole would be beyond it.
			if (newest.some(({ state }) => state.reason === 'count')) {
				expect(plan.items.filter(isIn).length).toBeGreaterThan(settings.contextMessages - 4);
			}
		});
	});

	it('[S4] has what is pinned, with its whole unit, the question unless it is excluded, and nothing else that is excluded but the last message', () => {
		holds((input, plan) => {
			for (const items of unitItems(plan)) {
				const isPinned = items.some(({ message }) => input.pins.has(message.id));
				const isLast = items.at(-1) === plan.items.at(-1);
				const isExcluded = items.some(({ message }) => input.excludes.has(message.id));
				const isCovered = items.some(({ message }) => message.depth <= (input.boundary?.depth ?? -1));
				const reasons = new Set(items.map(({ state }) => state.reason));
				if (isPinned) for (const reason of reasons) expect(['pinned', 'orphan', 'dropped']).toContain(reason);
				else if (isLast) expect(['recent', 'question', 'orphan']).toContain(items.at(-1)!.state.reason);
				else if (items[0]!.message.id === input.questionId) expect([...reasons]).toEqual([isExcluded ? 'excluded' : 'question']);
				else if (isCovered) expect([...reasons]).toEqual(['covered']);
				else if (isExcluded) expect([...reasons]).toEqual(['excluded']);
			}
		});
	});

	it('[S4] has a summary of at most 30 % of what the system prompt leaves, and says where it was cut', () => {
		holds(({ boundary, environment, system, overhead }, { summary, totals, budget, ...plan }) => {
			expect(plan.environment).toBe(boundary ? environment : '');
			expect(summary?.boundary).toBe(boundary);
			if (!boundary || !summary) return;
			// The system prompt as it was asked for: it may have been cut later.
			const before = overhead + count.text(system);
			expect(totals.summary).toBeLessThanOrEqual(summaryShare * Math.max(0, budget - before));
			const whole = `${summaryTag}\n${boundary.summary}`;
			if (!summary.cut) expect(summary.text).toBe(whole);
			else if (summary.text !== '') {
				expect(summary.text.endsWith('\n[… cut]')).toBe(true);
				expect(whole.startsWith(summary.text.slice(0, -'\n[… cut]'.length))).toBe(true);
			}
		});
	});

	it('has nothing in a summary that can’t be seen, whoever said it', () => {
		const path = pathOf(talk(4));
		const { summary } = selectContext(inputFor(path.slice(4), { boundary: boundaryUpTo(path.slice(0, 4), 'Pears.\u{e0041}\u{e0042}\u200b Plums.') }));
		expect(summary).toMatchObject({ text: `${summaryTag}\nPears. Plums.`, cut: false });
	});

	it('[S8] has the system prompt as it is, unless even the last message and the question alone are too long beside it', () => {
		holds(({ system }, plan) => {
			if (plan.system === system) return;
			expect(plan.emergency?.texts).toBeGreaterThan(0);
			expect(plan.system).toMatch(/^Be kind.*\n\[… \d+ characters left out …\]\n.*kind\. $/);
			expect(unitItems(plan).filter((items) => items.some(isInBesides)).length).toBeLessThanOrEqual(1);
		});
	});

	it('[S8] is cut in an emergency only, and no more than needed', () => {
		holds((_, plan) => {
			const changed = plan.items.some(({ state }) => state.reason === 'dropped' || (state.in && state.cut));
			if (!plan.emergency) expect(changed).toBe(false);
			else expect(plan.items.some(({ state }) => state.in && state.reason === 'fits')).toBe(false);
		});
	});

	it('[S4] wants what it would be if there were room', () => {
		holds((input, plan) => {
			const roomy = selectContext({ ...input, window: 10_000_000, slack: 0 });
			const { summary } = plan.totals;
			expect(plan.wanted - summary).toBe(roomy.totals.total - roomy.totals.summary);
		});
	});

	it('depends on nothing but its arguments, and changes none', () => {
		holds((input, plan) => {
			const { count: _, ...rows } = input;
			const before = structuredClone(rows);
			expect(selectContext({ ...before, count })).toEqual(plan);
			expect(rows).toEqual(before);
		});
	});
});

describe('the reasons', () => {
	const path = pathOf(talk(6, 100));

	it('[A9] beyond the newest N, for lack of room, and always there', () => {
		const settings = { contextMessages: 8, minRecent: 3 };
		const six = path.slice(-6).reduce((sum, message) => sum + count.message(message), 0);
		const plan = selectContext(inputFor(path, { settings: { ...settings, responseReserve: six }, window: 2 * six, slack: 0 }));
		expect(reasonsOf(plan)).toEqual([...times(4, 'count'), ...times(2, 'budget'), ...times(3, 'fits'), ...times(3, 'recent')]);
	});

	it('[S4] half of a small window is kept for the answer at most', () => {
		expect(selectContext(inputFor(path, { window: 1001 }))).toMatchObject({ reserve: 500, budget: 501 });
		expect(selectContext(inputFor(path, { window: 10_000, toolTokens: 1000 }))).toMatchObject({ reserve: 4096, budget: 4904 });
	});

	it('[A9] a unit that would not be whole within the newest N stays out, but not if it is the newest', () => {
		const step: Said[] = [
			{ role: 'assistant', parts: [calls('a'), calls('b')] },
			{ role: 'tool', parts: [gives('a', 1)] },
			{ role: 'tool', parts: [gives('b', 1)] }
		];
		const settings = { contextMessages: 2, responseReserve: 100, minRecent: 2 };
		const before = selectContext(inputFor(pathOf([...step, { role: 'user', parts: [says('So?')] }]), { settings }));
		expect(reasonsOf(before)).toEqual(['count', 'count', 'count', 'recent']);
		const last = selectContext(inputFor(pathOf([{ role: 'user', parts: [says('Go')] }, ...step]), { settings }));
		expect(reasonsOf(last)).toEqual(['count', 'recent', 'recent', 'recent']);
	});

	it('[A9] pinned messages from before the newest N come on top', () => {
		const settings = { contextMessages: 4, responseReserve: 100, minRecent: 2 };
		const olderKept = path.slice(0, 2);
		const pins = new Set(olderKept.map(({ id }) => id));
		const plan = selectContext(inputFor(path.slice(4), { settings, olderKept, pins, slack: 0 }));
		expect(reasonsOf(plan)).toEqual([...times(2, 'pinned'), ...times(4, 'count'), ...times(2, 'fits'), ...times(2, 'recent')]);
	});

	it('[A9] [R1] the question of an answer that goes on, however many steps ago it was asked', () => {
		const steps = Array.from({ length: 6 }, (_, step): Said[] => [
			{ role: 'assistant', parts: [calls(`${step}`)] },
			{ role: 'tool', parts: [gives(`${step}`, 'x'.repeat(400))] }
		]).flat();
		const job = pathOf([...talk(2), { role: 'user', parts: [says('Read them all. '.repeat(40))] }, ...steps]);
		const [question, lastSteps] = [job[4]!, job.slice(-4)];
		const settings = { contextMessages: 4, responseReserve: 64, minRecent: 2 };
		const beyond = { questionId: question.id, olderKept: [question], unread: { count: 12, covered: 0 }, settings };
		expect(reasonsOf(selectContext(inputFor(lastSteps, { ...beyond, slack: 0 })))).toEqual(['question', ...times(2, 'fits'), ...times(2, 'recent')]);

		const narrow = selectContext(inputFor(lastSteps, { ...beyond, window: 256 }));
		expect(narrow.items[0]).toMatchObject({ message: question, state: { in: true, reason: 'question', cut: 'text' } });
		expect(narrow.fits).toBe(true);
	});

	it('[S8] pictures are described where the newest messages alone are too many', () => {
		const shown = ['a.png', 'b.png'].map((name): Said => ({ role: 'user', parts: [shows(name)] }));
		const pictures = pathOf([...talk(1), ...shown, ...talk(1)]);
		const settings = { contextMessages: 200, responseReserve: 64, minRecent: 6 };
		const plan = selectContext(inputFor(pictures, { settings, window: 1100 }));
		expect(plan.emergency).toEqual({ images: 1, results: 0, texts: 0, dropped: 0 });
		const cuts = plan.items.flatMap(({ state, message }) => (state.in && state.cut ? [state.cut, message] : []));
		expect(cuts).toEqual(['image', pictures[2]]);
		expect(plan.fits).toBe(true);
	});
});

describe('the start of the window', () => {
	/** Counts how often the start changes while a conversation grows by so many turns, and measures the smallest window. */
	function grow(said: Said[], more: Partial<ContextInput>): { changes: number; turns: number; leastShare: number } {
		const path = pathOf(said);
		let [changes, turns, leastShare, start] = [0, 0, 1, ''];
		for (const [index, { role }] of path.entries()) {
			if (role !== 'user') continue;
			const settings = { contextMessages: 200, responseReserve: 64, minRecent: 6 };
			const input = inputFor(path.slice(0, index + 1), { settings, ...more });
			const plan = selectContext(input);
			const most = selectContext({ ...input, slack: 0 });
			if (!reasonsOf(most).some((reason) => reason === 'count' || reason === 'budget')) continue;
			turns++;
			const messages = plan.items.filter(isIn).length / most.items.filter(isIn).length;
			leastShare = Math.min(leastShare, messages, plan.totals.messages / most.totals.messages);
			const now = plan.items.find(isIn)!.message.id;
			if (now !== start) changes++;
			start = now;
		}
		return { changes, turns, leastShare };
	}

	it('[S4] stays for several turns, where a sliding one moves with each', () => {
		const sixty = { contextMessages: 60, responseReserve: 64, minRecent: 6 };
		for (const [name, more] of Object.entries({ room: { window: 4000 }, number: { settings: sixty } })) {
			const [strides, sliding] = [grow(talk(200, 120), more), grow(talk(200, 120), { ...more, slack: 0 })];
			console.log(`limited by ${name}: ${strides.changes} moves in ${strides.turns} turns, ${sliding.changes} without strides`);
			expect(sliding.changes).toBe(sliding.turns);
			expect(strides.changes).toBeLessThan(strides.turns / 4);
			expect(strides.leastShare).toBeGreaterThanOrEqual(0.75);
		}
	});

	it('[S4] stays in uneven conversations too, and leaves out no more than the slack', () => {
		const lengths = fc.array(fc.integer({ min: 20, max: 400 }), { minLength: 60, maxLength: 60 });
		const sum = { strides: 0, sliding: 0 };
		fc.assert(
			fc.property(lengths, (all) => {
				const said = all.flatMap((length) => talk(1, length));
				const strides = grow(said, { window: 3000 });
				expect(strides.leastShare).toBeGreaterThanOrEqual(0.75);
				sum.strides += strides.changes;
				sum.sliding += grow(said, { window: 3000, slack: 0 }).changes;
			}),
			{ numRuns: 12 }
		);
		console.log(`in uneven conversations: ${sum.strides} moves, ${sum.sliding} without strides`);
		expect(sum.strides).toBeLessThan(sum.sliding / 2);
	});

	it('[S4] is with a message of the user where there is one in reach', () => {
		const plan = selectContext(inputFor(pathOf(talk(100, 120)), { window: 9000 }));
		expect(plan.items.find(isIn)!.message.role).toBe('user');
		expect(reasonsOf(plan)).toContain('stride');
	});

	it('[S4] moves in strides too where what is older was not read', () => {
		const path = pathOf(talk(40), 11);
		const settings = { contextMessages: 80, responseReserve: 64, minRecent: 6 };
		expect(reasonsOf(selectContext(inputFor(path, { settings })))).not.toContain('stride');
		expect(reasonsOf(selectContext(inputFor(path, { settings, unread: { count: 9, covered: 0 } })))).toContain('stride');
		expect(reasonsOf(selectContext(inputFor(path, { settings, unread: { count: 9, covered: 9 } })))).not.toContain('stride');
	});
});
