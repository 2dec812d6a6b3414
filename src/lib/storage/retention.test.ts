import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseByRule, type Aged } from './retention';

const day = 86_400_000;
const now = 1000 * day;

const oldestFirst = fc
	.array(fc.record({ bytes: fc.nat(1000), updatedAt: fc.integer({ min: 0, max: now }) }), { maxLength: 30 })
	.map((rows) => rows.sort((a, b) => a.updatedAt - b.updatedAt).map((row, index): Aged => ({ id: String(index), ...row })));
const rule = fc.record({ days: fc.option(fc.integer({ min: 1, max: 1200 })), maxBytes: fc.option(fc.nat(20_000)) });

const sum = (sessions: Aged[]) => sessions.reduce((sum, { bytes }) => sum + bytes, 0);

describe('[A8] chooseByRule', () => {
	it('takes nothing where the rule says nothing', () => {
		fc.assert(
			fc.property(oldestFirst, (sessions) => {
				expect(chooseByRule(sessions, { days: null, maxBytes: null }, sum(sessions), now, Infinity)).toEqual([]);
			})
		);
	});

	it('takes now exactly what is too old, and of the rest the oldest until what stays fits', () => {
		fc.assert(
			fc.property(oldestFirst, rule, fc.nat(5000), (sessions, rule, exemptBytes) => {
				const chosen = chooseByRule(sessions, rule, sum(sessions) + exemptBytes, now);
				const isOld = ({ updatedAt }: Aged) => rule.days !== null && updatedAt + rule.days * day <= now;
				expect(chosen.filter(({ because }) => because === 'age').map(({ session }) => session)).toEqual(sessions.filter(isOld));

				const bySize = chosen.filter(({ because }) => because === 'size').map(({ session }) => session);
				const young = sessions.filter((session) => !isOld(session));
				expect(bySize).toEqual(young.slice(0, bySize.length));
				const left = sum(young.slice(bySize.length)) + exemptBytes;
				if (rule.maxBytes !== null && bySize.length < young.length) expect(left).toBeLessThanOrEqual(rule.maxBytes);
				if (bySize.length > 0) expect(left + bySize.at(-1)!.bytes).toBeGreaterThan(rule.maxBytes!);
				expect(chosen.every(({ goesAt }) => goesAt <= now)).toBe(true);
			})
		);
	});

	it('says beforehand when age will take a session', () => {
		const sessions = [100, 80, 10].map((age, index) => ({ id: String(index), bytes: 1, updatedAt: now - age * day }));
		expect(chooseByRule(sessions, { days: 90, maxBytes: null }, 3, now, now + 30 * day)).toEqual([
			{ session: sessions[0], because: 'age', goesAt: now - 10 * day },
			{ session: sessions[1], because: 'age', goesAt: now + 10 * day }
		]);
	});
});
