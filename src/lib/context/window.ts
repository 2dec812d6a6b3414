import type { PlanItem } from './plan';

/** A unit that may be sent, as far as it matters for where the window starts. */
export interface Candidate {
	/** Number of its messages that are sent, and their tokens. */
	size: number;
	tokens: number;
	/** The reason why it is sent whatever it takes, if there is one. */
	kept: 'pinned' | 'question' | undefined;
	/** Of its first message. */
	isUsers: boolean;
	depth: number;
}

export interface WindowLimits {
	/** At most so many of the newest messages [A9]. Kept ones among them count, older kept ones come on top. */
	messages: number;
	/** At least so many of them, whatever they take [S4]. */
	recent: number;
	/** For all that is sent, kept or not. */
	tokens: number;
	/** True if there are older messages than these that may be sent. */
	hasOlder: boolean;
	slack: number;
}

export interface Window {
	/** Of each candidate. */
	states: PlanItem['state'][];
	/** The first one that is within the number of messages. */
	countStart: number;
}

/**
 * Chooses the units that are sent, from the newest to the oldest. No unit is parted: the count stops short of its limit instead, but
 * the newest unit is sent whatever its size. The filling stops at the first unit that there is no room for, so that the
 * window has no gaps but those that the user made.
 */
export function windowOf(candidates: readonly Candidate[], { messages, recent, tokens, hasOlder, slack }: WindowLimits): Window {
	const newest = candidates.length - 1;
	let [countStart, recentStart, size] = [newest + 1, newest + 1, 0];
	for (let at = newest; at >= 0; at--) {
		const candidate = candidates[at]!;
		if (!candidate.kept && at < newest && size + candidate.size > messages) break;
		if (size < recent || at === newest) recentStart = at;
		size += candidate.size;
		countStart = at;
	}

	const isTaken = ({ kept }: Candidate, at: number) => kept !== undefined || at >= recentStart;
	let left = candidates.reduce((rest, candidate, at) => rest - (isTaken(candidate, at) ? candidate.tokens : 0), tokens);
	let start = recentStart;
	for (let at = recentStart - 1; at >= countStart; at--) {
		const candidate = candidates[at]!;
		if (!candidate.kept) left -= candidate.tokens;
		if (!candidate.kept && left < 0) break;
		start = at;
	}

	const isCut = hasOlder || candidates.some(({ kept }, at) => !kept && at < start);
	const moved = isCut ? strideFrom(candidates, start, recentStart, slack) : start;
	const states = candidates.map(({ kept }, at): PlanItem['state'] => {
		if (kept) return { in: true, reason: kept };
		if (at >= moved) return { in: true, reason: at >= recentStart ? 'recent' : 'fits' };
		if (at >= start) return { in: false, reason: 'stride' };
		return { in: false, reason: at >= countStart ? 'budget' : 'count' };
	});
	return { states, countStart };
}

/**
 * Finds a start of the window that stays for some turns: model and provider keep a prompt's beginning in memory,
 * and read again what follows the first difference. Of the starts that leave out no more than the slack, that is one whose
 * depth, in pairs of messages, divides by the highest power of two: such a depth is the best one for as long as it can
 * be, whatever is said meanwhile. A start with a message of the user goes before any other.
 */
function strideFrom(candidates: readonly Candidate[], start: number, recentStart: number, slack: number): number {
	const filling = candidates.slice(start).filter(({ kept }) => !kept);
	const least = (sum: number) => sum * (1 - slack);
	let messages = filling.reduce((sum, { size }) => sum + size, 0);
	let tokens = filling.reduce((sum, candidate) => sum + candidate.tokens, 0);
	const [minMessages, minTokens] = [least(messages), least(tokens)];
	let [best, bestScore] = [start, -1];
	for (let at = start; at <= recentStart && messages >= minMessages && tokens >= minTokens; at++) {
		const candidate = candidates[at];
		if (!candidate) break;
		if (candidate.kept) continue;
		const score = scoreOf(candidate);
		if (score > bestScore) [best, bestScore] = [at, score];
		messages -= candidate.size;
		tokens -= candidate.tokens;
	}
	return best;
}

function scoreOf({ isUsers, depth }: Candidate): number {
	const pairs = depth >> 1;
	const power = pairs === 0 ? 2 ** 31 : pairs & -pairs;
	return isUsers ? 2 ** 32 + power : power;
}
