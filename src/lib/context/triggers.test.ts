import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversations, pathOf, says } from '../../../tests/fixtures/conversations';
import { defaultContextSettings, strategyFor } from '../conversation/context-settings';
import { strategyNames } from '../conversation/boundary';
import { estimateCounter } from './estimate';
import { isDue, sinceOf, triggersOf } from './triggers';

const none = { messages: 0, bytes: 0, tokens: 0 };
const roomy = { wanted: 100, reserve: 100, window: 10_000 };
const asSet = { ...defaultContextSettings, cheapMessages: 50, cheapBytes: 32_768, summaryMessages: 30, summaryTokens: 128_000 };

describe('the reasons to compact', () => {
	it.each(strategyNames)('[A11] above 80 %% of the window, with %s, and nothing else unless it is set', (strategy) => {
		const at = (wanted: number) => isDue(triggersOf({ messages: 1e9, bytes: 1e9, tokens: 1e9 }, { wanted, reserve: 4096, window: 16_001 }, defaultContextSettings, strategy));
		expect(at(12_800 - 4096)).toBe(false);
		expect(at(12_801 - 4096)).toBe(true);
	});

	it('[A11] never of a window that is not known', () => {
		expect(triggersOf(none, { wanted: 1e9, reserve: 4096, window: Infinity }, defaultContextSettings, 'summary')).toEqual([]);
	});

	it.each(['simple', 'code-aware', 'role-budget'] as const)('[Z6] above the messages or bytes that are set, with %s', (strategy) => {
		const due = (since: Partial<typeof none>) => isDue(triggersOf({ ...none, ...since }, roomy, asSet, strategy));
		expect([due({ messages: 50 }), due({ messages: 51 })]).toEqual([false, true]);
		expect([due({ bytes: 32_768 }), due({ bytes: 32_769 })]).toEqual([false, true]);
		expect(due({ tokens: 1e9 })).toBe(false);
	});

	it('[S5] above the messages or tokens that are set, with summary', () => {
		const due = (since: Partial<typeof none>) => isDue(triggersOf({ ...none, ...since }, roomy, asSet, 'summary'));
		expect([due({ messages: 30 }), due({ messages: 31 })]).toEqual([false, true]);
		expect([due({ tokens: 128_000 }), due({ tokens: 128_001 })]).toEqual([false, true]);
		expect(due({ bytes: 1e9 })).toBe(false);
	});

	it('tells how far each is', () => {
		expect(triggersOf({ messages: 7, bytes: 900, tokens: 80 }, roomy, asSet, 'code-aware')).toEqual([
			{ name: 'window', value: 200, limit: 8000 },
			{ name: 'messages', value: 7, limit: 50 },
			{ name: 'bytes', value: 900, limit: 32_768 }
		]);
	});
});

describe('[A11] the strategy in force', () => {
	it('is the one that was chosen, or else the model’s own summary where it can write one', () => {
		expect(strategyFor({}, { canSummarise: true })).toBe('summary');
		expect(strategyFor({}, { canSummarise: false })).toBe('code-aware');
		expect(strategyFor({ strategy: 'simple' }, { canSummarise: true })).toBe('simple');
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
