import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterOf, hitAddress, readAddress, writeAddress, type Wanted } from './address';
import type { Hit } from './hit';

const nothing: Wanted = { text: '', order: 'best', code: false };

describe('the address of a search', () => {
	it('[E7] says all that is asked, and is read as it was written', () => {
		const word = fc.string({ minLength: 1, unit: 'grapheme' });
		const asked = fc.record(
			{
				text: fc.string({ unit: 'grapheme', maxLength: 500 }),
				order: fc.constantFrom('best' as const, 'newest' as const),
				session: word,
				workspace: word,
				role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
				model: word,
				from: fc.constant('2026-02-01'),
				to: fc.constant('2026-02-28'),
				code: fc.boolean()
			},
			{ requiredKeys: ['text', 'order', 'code'] }
		);
		fc.assert(fc.property(asked, (wanted) => {
				expect(readAddress(writeAddress(wanted))).toEqual(wanted);
			}));
	});

	it('is without a query where nothing is asked', () => {
		expect(writeAddress(nothing)).toBe('');
		expect(writeAddress({ text: 'tea & cake' })).toBe('?q=tea+%26+cake');
		expect(readAddress('')).toEqual(nothing);
	});

	it('that makes no sense asks for as much as does', () => {
		expect(readAddress('?q=tea&order=worst&role=king&from=yesterday&to=2026-13-01&code=yes&session=')).toEqual({ ...nothing, text: 'tea' });
	});

	it('has room for the start of a text that is far too long, and for half a character', () => {
		expect(writeAddress({ text: 'x'.repeat(100_000) }).length).toBeLessThan(2100);
		expect(readAddress(writeAddress({ text: 'tea \ud83d' })).text).toBe('tea \ufffd');
		expect(hitAddress({ messageId: 'm1' } as Hit, '\udc00')).toBe('?m=m1&q=%EF%BF%BD');
	});
});

describe('the days of a search', () => {
	it('[E7] begin and end as they do where the person is', () => {
		const { from, to } = filterOf({ ...nothing, from: '2026-03-01', to: '2026-03-01' });
		expect(new Date(from!).toString()).toMatch(/Mar 01 2026 00:00:00/);
		expect(new Date(to!).toString()).toMatch(/Mar 01 2026 23:59:59/);
		expect(new Date(to! + 1).getDate()).toBe(2);
	});
});
