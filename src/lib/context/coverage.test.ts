import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, conversations, gives, pathOf, says } from '../../../tests/fixtures/conversations';
import type { Role } from '../conversation/message';
import { coverageOf, keepOf } from './coverage';
import { unitsOf } from './units';

const talk = (...roles: Role[]) => pathOf(roles.map((role) => ({ role, parts: [says('So')] })));

describe('what a compaction covers', () => {
	it('[Z6] all but the newest ten with simple, all but the newest that always stay with any other', () => {
		expect(keepOf('simple', { minRecent: 6 })).toBe(10);
		for (const strategy of ['code-aware', 'role-budget', 'summary'] as const) expect(keepOf(strategy, { minRecent: 6 })).toBe(6);
	});

	it('[A10] leaves a beginning by the user, and rather more than fewer messages', () => {
		expect(coverageOf(talk('user', 'assistant', 'user', 'assistant', 'user', 'assistant'), 2)).toBe(4);
		expect(coverageOf(talk('user', 'assistant', 'user', 'assistant', 'user', 'assistant'), 3)).toBe(2);
	});

	it('[A10] covers an answer in many steps where the user said nothing in between', () => {
		expect(coverageOf(talk('user', 'assistant', 'assistant', 'assistant', 'assistant'), 2)).toBe(3);
		const steps = [0, 1, 2].flatMap(() => [
			{ role: 'assistant' as const, parts: [calls('a')] },
			{ role: 'tool' as const, parts: [gives('a', 1)] }
		]);
		expect(coverageOf(pathOf([{ role: 'user', parts: [says('Go')] }, ...steps]), 3)).toBe(3);
	});

	it('[A10] nothing where there are not two messages to cover', () => {
		expect(coverageOf([], 2)).toBe(0);
		expect(coverageOf(talk('user', 'user', 'assistant'), 2)).toBe(0);
		expect(coverageOf(talk('user', 'assistant', 'user'), 6)).toBe(0);
	});

	it('[A10] at least as many stay, no unit is parted, and no newer message of the user would do', () => {
		fc.assert(
			fc.property(conversations, fc.integer({ min: 1, max: 12 }), (path, keep) => {
				const covered = coverageOf(path, keep);
				const starts = unitsOf(path).map(({ start }) => start);
				const possible = starts.filter((start) => start >= 2 && start <= path.length - keep);
				if (covered === 0) return void expect(possible).toEqual([]);
				expect(possible).toContain(covered);
				const users = possible.filter((start) => path[start]!.role === 'user');
				expect(covered).toBe(Math.max(...(users.length > 0 ? users : possible)));
			})
		);
	});
});
