import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unverifiedValues, valuesIn } from './exact-values';

const words = fc.constantFrom(
	...['src/a.ts', '/etc/hosts', '~/notes.md', './x', 'C:\\Users\\ada\\a.txt', 'https://a.b/c?d=1#e', 'ada@example.com', 'ABC-123'],
	...['0b1f3c9', '550e8400-e29b-41d4-a716-446655440000', 'v1.2.3', '14,200', '80%', '5MB', '3.14', '12', '2024-01-15T10:30:00Z'],
	...['e.g.', 'and/or', '1st', 'plain', '字', '(', ')', '[', ']', '](', ',', '.', ':', '::', '`', '**', '"', '’s', '=', '|', '#', '-'],
	...['…', '\\', '/', '@', '_', '$', '\n', ' ', ' ', ' ']
);
const text = fc.oneof(
	fc.array(fc.oneof(words, fc.string({ maxLength: 4 })), { maxLength: 30 }).map((pieces) => pieces.join('')),
	fc.string({ unit: 'binary', maxLength: 80 })
);

describe('valuesIn', () => {
	it.each([
		['It is in `src/lib/a.ts`, see (docs/b.md).', ['src/lib/a.ts', 'docs/b.md']],
		['Edit src/routes/(app)/s/[id]/+page.svelte now', ['src/routes/(app)/s/[id]/+page.svelte']],
		['At src/a.ts:12:34 it fails', ['src/a.ts', '12', '34']],
		['/etc/hosts, ~/notes, ./run and ../up/', ['/etc/hosts', '~/notes', './run', '../up/']],
		['C:\\Users\\ada\\plan.txt or \\\\server\\share', ['C:\\Users\\ada\\plan.txt', '\\\\server\\share']],
		['package.json, .env, vite.config.ts and README.MD.', ['package.json', '.env', 'vite.config.ts', 'README.MD']],
		['@sveltejs/kit and src/lib/', ['@sveltejs/kit', 'src/lib/']],
		['See https://a.b/c?d=1, [here](https://x.y/z_(w)).', ['https://a.b/c?d=1', 'https://x.y/z_(w)']],
		['Open <http://localhost:5173/>!', ['http://localhost:5173/']],
		['Mail ada@example.com or git@github.com:a/b.git', ['ada@example.com', 'git@github.com:a/b.git']],
		['id 550e8400-e29b-41d4-a716-446655440000', ['550e8400-e29b-41d4-a716-446655440000']],
		['commit 0b1f3c9, 0xff, not defaced or 0b1f3', ['0b1f3c9', '0xff']],
		['ABC-123, gpt-4o, us-east-1 and TS2322', ['ABC-123', 'gpt-4o', 'us-east-1', 'TS2322']],
		['v1.2.3, 2.70, 1.0.0-beta.1, ^4.4.7', ['v1.2.3', '2.70', '1.0.0-beta.1', '4.4.7']],
		['14,200 of 8192, 3.14, 80 %, 80%, 5MB, 10px and $1.37', ['14,200', '8192', '3.14', '80', '80%', '5MB', '10px', '1.37']],
		['2024-01-15 at 10:30, 2024-01-15T10:30:00Z, 127.0.0.1:8080', ['2024-01-15', '10:30', '2024-01-15T10:30:00Z', '127.0.0.1:8080']],
		['port=5173 key:ABC-1 localhost:4173', ['5173', 'ABC-1', '4173']],
		['a,b,12,13', ['12', '13']],
		['文件src/a.ts已修改，共120行', ['src/a.ts', '120']],
		['12 and 12 and 13', ['12', '13']],
		['e.g. and/or i.e. his/her, 3 of them, the 1st, the 2nd time, U.S.A. Done.Then', []],
		['', []]
	])('[S6] finds in %j each value once', (text, values) => expect(valuesIn(text)).toEqual(values));

	it('takes no data for a value', () => {
		expect(valuesIn(`see ${'a1'.repeat(3000)} in a.ts`)).toEqual(['a.ts']);
	});

	it('[S6] finds nothing that is not in the text, and nothing twice', () => {
		fc.assert(
			fc.property(text, (text) => {
				const values = valuesIn(text);
				expect(values.filter((value) => value === '' || !text.includes(value))).toEqual([]);
				expect(new Set(values).size).toBe(values.length);
			}),
			{ numRuns: 2000 }
		);
	});

	it('takes time in proportion to the text, whatever it is', () => {
		const pieces = [
			...['a', '1', '/', '\\', '.', ',', ':', '-', '(', '[', ')', ']', '](', '@', '~', '#', '_', 'a.', 'a/', '1,', '1.', '1:', 'a-', 'a1-'],
			...['a://', ':/', '0x', 'https://a/)', 'f', 'f1', '((((((((((((( ', '字', '$', '…', '"', '[a](', '{"a":1},', '🚀'],
			...['(', '1', 'a.', 'f', 'a1', '/', '(/', ',', '1,', '[a]/', '.', '-'].map((unit) => `${unit.repeat(4000 / unit.length)}! `),
			`https://a/${')'.repeat(3000)} `
		];
		for (const piece of pieces) {
			const hostile = piece.repeat(Math.ceil(100_000 / piece.length));
			const started = performance.now();
			valuesIn(hostile);
			expect(performance.now() - started, piece.slice(0, 20)).toBeLessThan(1500);
		}
	}, 60_000);
});

describe('unverifiedValues', () => {
	const within = (source: string) => (value: string) => Promise.resolve(source.includes(value));

	it('[S6] doubts nothing that a summary of pieces of the source says', async () => {
		const cuts = fc.array(fc.tuple(fc.nat(), fc.nat(40)), { maxLength: 10 });
		await fc.assert(
			fc.asyncProperty(text, cuts, async (source, cuts) => {
				const pieces = cuts.map(([from, length]) => source.slice(from % (source.length + 1)).slice(0, length));
				expect(await unverifiedValues(pieces.map((piece) => `- ${piece}`).join('\n'), within(source))).toEqual([]);
			}),
			{ numRuns: 2000 }
		);
	});

	it('[S6] doubts what the source does not have', async () => {
		const source = 'We moved src/a.ts to port 5173, see https://a.b/c and ABC-123.';
		const summary = 'src/b.ts on port 5174, https://a.b/d, ABC-124, src/a.ts, 5173 and ABC-123';
		expect(await unverifiedValues(summary, within(source))).toEqual(['src/b.ts', '5174', 'https://a.b/d', 'ABC-124']);
	});

	it.each([
		['14,200 tokens', 'took 14200 tokens'],
		['14200 tokens', 'took 14,200 tokens'],
		['14200 tokens', 'took 14\u202f200 tokens'],
		['1,234.5', '1234.5'],
		['5MB', 'all 5 MB of it'],
		['80%', 'about 80\u00a0%'],
		['$12', '12 USD']
	])('[S6] knows %j in %j', async (summary, source) => expect(await unverifiedValues(summary, within(source))).toEqual([]));

	it('[P8] looks for the first of more values than a summary names', async () => {
		const summary = Array.from({ length: 30_000 }, (_, at) => 100_000 + 7 * at).join(';');
		const asked = new Set<string>();
		expect(await unverifiedValues(summary, (value) => Promise.resolve(!asked.add(value)))).toHaveLength(1000);
		expect(asked.size).toBeLessThan(30_000);
	});

	it('[S6] does not take one number for another', async () => {
		expect(await unverifiedValues('14,200 and 15MB', within('142,00 and 15 GB'))).toEqual(['14,200', '15MB']);
	});
});
