import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterOf, hitAddress, readAddress, type Wanted, writeAddress } from './address';
import { withoutWords } from './address-text';
import type { Hit } from './hit';
import { SearchWords } from './search-words';

const items: Record<string, string> = {};
const storage = { getItem: (name: string) => items[name] ?? null, setItem: (name: string, value: string) => void (items[name] = value), removeItem: (name: string) => void delete items[name] };
const words = new SearchWords(() => storage);

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
				expect(readAddress(writeAddress(wanted, words), words)).toEqual(wanted);
			}));
	});

	it('is without a query where nothing is asked', () => {
		expect(writeAddress(nothing, words)).toBe('');
		expect(readAddress('', words)).toEqual(nothing);
	});

	it('that makes no sense asks for as much as does', () => {
		expect(readAddress('?q=tea&order=worst&role=king&from=yesterday&to=2026-13-01&code=yes&session=', words)).toEqual({ ...nothing, text: 'tea' });
	});

	it('[P8] has the key of a text, and not the text', () => {
		const address = writeAddress({ text: 'tea & cake' }, words);
		expect(address).toMatch(/^\?w=[0-9a-f-]{13}$/);
		expect(writeAddress({ text: 'tea & cake' }, words)).toBe(address);
		expect(hitAddress({ messageId: 'm1' } as Hit, 'tea & cake', words)).toBe(`?m=m1&${address.slice(1)}`);
		expect(hitAddress({} as Hit, 'tea & cake', words)).toBe('');
		expect(withoutWords('?q=tea+%26+cake', words)).toBe(address);
		expect(withoutWords('?order=newest', words)).toBe('?order=newest');
	});

	it('is read after a reload, of a text of any kind; one of another tab asks for nothing', () => {
		const address = writeAddress({ text: 'tea \ud83d' }, words);
		expect(readAddress(address, new SearchWords(() => storage)).text).toBe('tea \ud83d');
		const other = new SearchWords(() => {
			throw new DOMException('no', 'SecurityError');
		});
		expect(readAddress(address, other)).toEqual(nothing);
		expect(readAddress(writeAddress({ text: 'tea' }, other), other).text).toBe('tea');
	});

	it('[P8] asks for nothing once all words are forgotten, also after a reload', () => {
		const address = writeAddress({ text: 'tea' }, words);
		words.clear();
		expect(items).toEqual({});
		for (const kept of [words, new SearchWords(() => storage)]) expect(readAddress(address, kept)).toEqual(nothing);
	});

	it('of far too long a text, or of far too many, remembers the start, and the latest', () => {
		expect(readAddress(writeAddress({ text: 'x'.repeat(100_000) }, words), words).text).toHaveLength(2000);
		const addresses = Array.from({ length: 1000 }, (_, index) => writeAddress({ text: `tea ${index}` }, words));
		expect(readAddress(addresses.at(-1)!, words).text).toBe('tea 999');
		expect(readAddress(addresses[0]!, words).text).toBe('');
		expect(items['search-words']!.length).toBeLessThan(20_000);
	});
});

describe('the days of a search', () => {
	it('[E7] begin and end as they do where the user is', () => {
		const { from, to } = filterOf({ ...nothing, from: '2026-03-01', to: '2026-03-01' });
		expect(new Date(from!).toString()).toMatch(/Mar 01 2026 00:00:00/);
		expect(new Date(to!).toString()).toMatch(/Mar 01 2026 23:59:59/);
		expect(new Date(to! + 1).getDate()).toBe(2);
	});
});
