import { describe, expect, it } from 'vitest';
import type { Boundary } from './boundary';
import { compactionMarks } from './compaction-marks';

/** A compaction of the path that these letters are, made at a time. */
function compaction(path: string, createdAt: number): Boundary {
	const coveredIds = [...path];
	return {
		id: `${path}${createdAt}`,
		sessionId: 's1',
		upToId: coveredIds.at(-1)!,
		depth: coveredIds.length,
		coveredIds,
		strategy: 'simple',
		summary: 'Summary',
		figures: { messagesBefore: 61, messagesAfter: 8, tokensBefore: 14_200, tokensAfter: 2100 },
		madeAtDepth: coveredIds.length,
		automatic: false,
		doubtful: [],
		createdAt
	};
}

/** Where marks are drawn in the stretch, with `-` after those that are replaced. */
function marksIn(stretch: string, boundaries: Boundary[], reachesEnd = true): Record<string, string> {
	const marks = compactionMarks([...stretch].map((id) => ({ id })), boundaries, { reachesEnd });
	const written = [...marks].map(([id, list]) => [id, list.map(({ boundary, replaced }) => boundary.id + (replaced ? '-' : '')).join(' ')]);
	return Object.fromEntries(written) as Record<string, string>;
}

describe('compactionMarks', () => {
	it('[A10] has a compaction after the last message that it covers', () => {
		expect(marksIn('abcdef', [compaction('abc', 1)])).toEqual({ c: 'abc1' });
		expect(marksIn('def', [compaction('abc', 1)])).toEqual({});
		expect(marksIn('', [compaction('abc', 1)])).toEqual({});
	});

	it('[A10] says of an earlier one that a later one replaced it, also where both end at one message', () => {
		expect(marksIn('abcdef', [compaction('abcde', 2), compaction('abc', 1)])).toEqual({ c: 'abc1-', e: 'abcde2' });
		expect(marksIn('abcdef', [compaction('abc', 1), compaction('abc', 2)])).toEqual({ c: 'abc1- abc2' });
	});

	it('[A10] draws nothing of another branch, and lets nothing there replace what is drawn', () => {
		expect(marksIn('abcdef', [compaction('abc', 1), compaction('abcxy', 2)])).toEqual({ c: 'abc1' });
	});

	it('[A10] knows of a later one that ends below the stretch', () => {
		expect(marksIn('abcd', [compaction('abc', 1), compaction('abcdef', 2)], false)).toEqual({ c: 'abc1-' });
		expect(marksIn('abcd', [compaction('abc', 1), compaction('abcdef', 2)], true)).toEqual({ c: 'abc1' });
		expect(marksIn('abcd', [compaction('abc', 1), compaction('abcxyz', 2)], false)).toEqual({ c: 'abc1' });
	});

	it('[A10] knows of a later one that ends above the stretch', () => {
		expect(marksIn('def', [compaction('abcde', 1), compaction('ab', 2)])).toEqual({ e: 'abcde1-' });
		expect(marksIn('def', [compaction('abcde', 1), compaction('axy', 2)])).toEqual({ e: 'abcde1' });
	});
});
