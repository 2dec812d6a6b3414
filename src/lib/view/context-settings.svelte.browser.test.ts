import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { app } from '../app';
import { contextLimits } from '../conversation/context-limits';
import { defaultContextSettings } from '../conversation/context-settings';
import { ContextScopes, limitsOf, readNumber, shownNumber, type NumberField } from './context-settings.svelte';

const fields = [...Object.keys(contextLimits), 'window'] as NumberField[];

describe('a number as people write it', () => {
	test('[S4] is what is stored, and shown as it was written', () => {
		const written = fc
			.constantFrom(...fields)
			.chain((field) => fc.tuple(fc.constant(field), fc.integer(limitsOf(field))));
		fc.assert(
			fc.property(written, ([field, number]) => {
				const read = readNumber(field, ` ${number} `);
				expect(read).toHaveProperty('value');
				const { value } = read as { value: number };
				expect(shownNumber(field, value)).toBe(number);
				const limits = field === 'window' ? { min: 0, max: Infinity } : contextLimits[field];
				expect(value >= limits.min && value <= limits.max).toBe(true);
			})
		);
	});

	test('[S4] is in percent and kilobytes where people think in these', () => {
		expect(readNumber('compactAtShare', '57')).toEqual({ value: 0.57 });
		expect(readNumber('cheapBytes', '32')).toEqual({ value: 32 * 1024 });
		expect(shownNumber('compactAtShare', defaultContextSettings.compactAtShare)).toBe(80);
	});

	test('[S4] is refused beyond its limits, with a sentence that names them', () => {
		for (const typed of ['1', '100001', '-5', '2.5', 'many', '?']) {
			expect(readNumber('contextMessages', typed)).toEqual({ problem: `Write a whole number from 2 to ${(100_000).toLocaleString()}.` });
		}
		expect(readNumber('compactAtShare', '101')).toHaveProperty('problem');
		expect(readNumber('contextMessages', ' ')).toEqual({ value: undefined });
	});
});

describe('the settings of all chats', () => {
	afterEach(() => app.settings.unset('context'));

	const stored = () => app.settings.get('context');

	test('[A9, A11] are decided field by field, and window by window', async () => {
		const scopes = new ContextScopes();
		await Promise.all([
			scopes.decide('everywhere', 'contextMessages', 40),
			scopes.decide('everywhere', 'autoCompact', false),
			scopes.decideWindow('everywhere', 'a', 1000),
			scopes.decideWindow('everywhere', 'b', 2000)
		]);
		expect(await stored()).toEqual({ contextMessages: 40, autoCompact: false, contextWindows: { a: 1000, b: 2000 } });
		await scopes.decide('everywhere', 'contextMessages', undefined);
		await scopes.decideWindow('everywhere', 'a', undefined);
		expect(await stored()).toEqual({ autoCompact: false, contextWindows: { b: 2000 } });
		await scopes.decideWindow('everywhere', 'b', undefined);
		expect(await stored()).toEqual({ autoCompact: false });
	});

	test('[A9] a change that can’t be written keeps the next one from nothing', async () => {
		const scopes = new ContextScopes();
		const set = vi.spyOn(app.settings, 'set').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'));
		await scopes.decide('everywhere', 'minRecent', 3);
		await scopes.decide('everywhere', 'minRecent', 4);
		set.mockRestore();
		expect(await stored()).toEqual({ minRecent: 4 });
	});
});
