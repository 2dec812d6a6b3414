import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversations, pathOf, says } from '../../../tests/fixtures/conversations';
import { defaultContextSettings, type ContextSettings } from '../conversation/context-settings';
import { strategyNames } from '../conversation/boundary';
import { estimateCounter } from './estimate';
import { isDue, sinceOf, triggersOf } from './triggers';

const none = { messages: 0, bytes: 0, tokens: 0 };
const roomy = { wanted: 100, reserve: 100, window: 10_000 };
const by = (strategy: ContextSettings['strategy']) => ({ ...defaultContextSettings, strategy });

describe('the reasons to compact', () => {
	it.each(strategyNames)('[A11] above 80 %% of the window, with %s', (strategy) => {
		const at = (wanted: number) => isDue(triggersOf(none, { wanted, reserve: 4096, window: 16_001 }, by(strategy)));
		expect(at(12_800 - 4096)).toBe(false);
		expect(at(12_801 - 4096)).toBe(true);
	});

	it.each(['simple', 'code-aware', 'role-budget'] as const)('[Z6] above 50 messages or 32 KB, with %s', (strategy) => {
		const due = (since: Partial<typeof none>) => isDue(triggersOf({ ...none, ...since }, roomy, by(strategy)));
		expect([due({ messages: 50 }), due({ messages: 51 })]).toEqual([false, true]);
		expect([due({ bytes: 32_768 }), due({ bytes: 32_769 })]).toEqual([false, true]);
		expect(due({ tokens: 1e9 })).toBe(false);
	});

	it('[S5] above 30 messages or 128 000 tokens, with summary', () => {
		const due = (since: Partial<typeof none>) => isDue(triggersOf({ ...none, ...since }, roomy, by('summary')));
		expect([due({ messages: 30 }), due({ messages: 31 })]).toEqual([false, true]);
		expect([due({ tokens: 128_000 }), due({ tokens: 128_001 })]).toEqual([false, true]);
		expect(due({ bytes: 1e9 })).toBe(false);
	});

	it('tells how far each is', () => {
		expect(triggersOf({ messages: 7, bytes: 900, tokens: 80 }, roomy, by('code-aware'))).toEqual([
			{ name: 'window', value: 200, limit: 8000 },
			{ name: 'messages', value: 7, limit: 50 },
			{ name: 'bytes', value: 900, limit: 32_768 }
		]);
	});
});

describe('what has come since', () => {
	it('[S5] sums messages, bytes and tokens', () => {
		const count = estimateCounter(1);
		expect(sinceOf([], count)).toEqual(none);
		const [message] = pathOf([{ role: 'user', parts: [says('Hello')] }]);
		const bytes = '[{"type":"text","text":"Hello"}]'.length;
		expect(sinceOf([message!], count)).toEqual({ messages: 1, bytes, tokens: count.message(message!) });
		fc.assert(
			fc.property(conversations, fc.nat(), (path, cut) => {
				const at = cut % path.length;
				const [a, b, all] = [sinceOf(path.slice(0, at), count), sinceOf(path.slice(at), count), sinceOf(path, count)];
				for (const name of ['messages', 'bytes', 'tokens'] as const) expect(a[name] + b[name]).toBe(all[name]);
			})
		);
	});
});
