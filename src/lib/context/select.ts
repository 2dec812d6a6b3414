import type { Boundary } from '../conversation/boundary';
import type { ContextSettings } from '../conversation/context-settings';
import { cutEnd, largest } from './cut';
import { shorten } from './emergency';
import type { ContextInput, OutReason, Plan, PlanItem } from './plan';
import { summaryText } from './summary-text';
import type { TokenCounter } from './token-counter';
import { unitsOf } from './units';
import { windowOf, type Candidate } from './window';

/** Share of the budget that a summary may take, once the system prompt has its own [S4]. */
export const summaryShare = 0.3;

/** The largest share of what fits that is left out, so that the window's start stays [S4]. */
const defaultSlack = 0.25;

/** Returns what is kept free of a window for the answer, in tokens: no more than half of it, unless the answer may be longer. */
export function reserveOf({ settings, maxAnswer = 0, window }: Pick<ContextInput, 'maxAnswer' | 'window'> & { settings: Pick<ContextSettings, 'responseReserve'> }): number {
	return Math.min(window, Math.max(maxAnswer, Math.min(settings.responseReserve, Math.floor(window / 2))));
}

/**
 * Selects the messages that the model is sent, and says why [A9, S4, S8]. System prompt, summary, environment, pinned messages and the question of an answer that goes on are taken first,
 * then messages from the newest to the oldest as long as there is room. It depends on nothing but its arguments, and
 * changes none of them.
 */
export function selectContext(input: ContextInput): Plan {
	const { boundary, count, unread, settings, window } = input;
	const reserve = reserveOf(input);
	const budget = Math.max(0, window - reserve - input.toolTokens);
	// System prompt, summary and environment are one message, whose frame is part of the overhead.
	const systemTokens = (system: string) => input.overhead + count.text(system);
	const summaryRoom = Math.floor(summaryShare * Math.max(0, budget - systemTokens(input.system)));
	const summary = boundary && summaryOf(boundary, summaryRoom, count);
	const summaryTokens = count.text(summary?.text ?? '');
	const environment = boundary ? input.environment : '';
	const environmentTokens = count.text(environment);
	const fixed = systemTokens(input.system) + summaryTokens + environmentTokens;

	const entries = entriesOf(input);
	const candidates = entries.filter(({ out }) => out === undefined);
	const { states, countStart } = windowOf(candidates, {
		messages: settings.contextMessages,
		recent: Math.min(settings.minRecent, settings.contextMessages),
		tokens: budget - fixed,
		hasOlder: unread.count > unread.covered,
		slack: input.slack ?? defaultSlack
	});
	for (const [index, { items }] of candidates.entries()) decide(items, states[index]!, count);

	const items = entries.flatMap((entry) => entry.items);
	const over = fixed + sumOf(items) - budget;
	const shortened = over > 0 ? shorten(candidates.map(sentOf).filter(({ length }) => length > 0), input.system, over, count) : undefined;
	const system = shortened?.system ?? input.system;
	const pinned = sumOf(items.filter(({ state }) => state.reason === 'pinned'));
	const totals = {
		system: systemTokens(system),
		summary: summaryTokens,
		environment: environmentTokens,
		pinned,
		messages: sumOf(items) - pinned
	};
	const total = Object.values(totals).reduce((sum, tokens) => sum + tokens);
	const inCount = candidates.filter(({ kept }, index) => kept !== undefined || index >= countStart);
	return {
		system,
		summary,
		environment,
		items,
		unread: { ...unread },
		window,
		reserve,
		toolTokens: input.toolTokens,
		budget,
		totals: { ...totals, total },
		wanted: inCount.reduce((sum, { tokens }) => sum + tokens, fixed),
		emergency: shortened?.emergency,
		fits: total <= budget
	};
}

/** A unit with its items; `out` if it can't be sent, whatever room there is. */
interface Entry extends Candidate {
	items: PlanItem[];
	out: OutReason | undefined;
}

function entriesOf({ path, olderKept, questionId, boundary, pins, excludes, count }: ContextInput): Entry[] {
	const messages = [...olderKept, ...path];
	const coveredDepth = boundary?.depth ?? -1;
	return unitsOf(messages).map(({ start, end, sendable }) => {
		const own = messages.slice(start, end);
		const kept = own.some(({ id }) => pins.has(id)) ? 'pinned' : own[0]!.id === questionId ? 'question' : undefined;
		const isLast = end === messages.length;
		const size = sendable.filter((parts) => parts !== undefined).length;
		let out: OutReason | undefined = size > 0 ? undefined : 'orphan';
		if (kept !== 'pinned' && !isLast && own.some(({ id }) => excludes.has(id))) out = 'excluded';
		if (!kept && !isLast && own.some(({ depth }) => depth <= coveredDepth)) out = 'covered';
		const items = own.map((message, index): PlanItem => {
			const parts = sendable[index];
			const isOut = out !== undefined || parts === undefined;
			const isWhole = isOut || parts.length === message.parts.length;
			return {
				message,
				parts: isOut ? [] : parts,
				tokens: count.message(isWhole ? message : { ...message, parts }),
				state: isOut ? { in: false, reason: out ?? 'orphan' } : { in: true, reason: 'fits' }
			};
		});
		const { role, depth } = own[0]!;
		return { items, out, size, tokens: sumOf(items), kept, isUsers: role === 'user', depth };
	});
}

function decide(items: PlanItem[], state: PlanItem['state'], count: TokenCounter): void {
	for (const item of items) {
		if (!item.state.in) continue;
		item.state = state;
		if (state.in) continue;
		if (item.parts.length < item.message.parts.length) item.tokens = count.message(item.message);
		item.parts = [];
	}
}

function sentOf({ items }: Entry): PlanItem[] {
	return items.filter(({ state }) => state.in);
}

function sumOf(items: PlanItem[]): number {
	return items.reduce((sum, { tokens, state }) => sum + (state.in ? tokens : 0), 0);
}

/** The summary with its tag, cut where it takes more than `most` tokens; '' if there is no room for a word of it. */
function summaryOf(boundary: Boundary, most: number, count: TokenCounter): NonNullable<Plan['summary']> {
	const whole = summaryText(boundary.summary);
	if (count.text(whole) <= most) return { boundary, text: whole, cut: false };
	const [tag, summary] = [whole.slice(0, summaryText('').length), whole.slice(summaryText('').length)];
	const upTo = (length: number) => tag + cutEnd(summary, length);
	const kept = largest(0, summary.length - 1, (characters) => count.text(upTo(characters)) <= most);
	return { boundary, text: kept > 0 ? upTo(kept) : '', cut: true };
}
