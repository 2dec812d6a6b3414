import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { hostileText, mixedText } from '../../../../tests/fixtures/search-text';
import { positionEnd, positionStart, packPosition } from './positions';
import { countTerms, countTermsInSlices, groupsOf, locate, processTerm, slices, tokenize } from './words';

const termsOf = (text: string) => tokenize(text).flatMap((token) => processTerm(token) ?? []);

function searcher(texts: Record<string, string>): (query: string, prefix?: boolean) => string[] {
	const index = new MiniSearch({ fields: ['text'], tokenize, processTerm });
	index.addAll(Object.entries(texts).map(([id, text]) => ({ id, text })));
	return (query, prefix = false) => index.search(query, { combineWith: 'AND', prefix }).map(({ id }) => String(id));
}

describe('what words there are', () => {
	it.each([
		['The Quick  brown\nfox, 42!', ['the', 'quick', 'brown', 'fox', '42']],
		['running connections happily', ['run', 'connect', 'happili']],
		["user's don't we'll l'homme O’Brien", ['user', 'don', 'we', 'l', 'homm', 'o', 'brien']],
		['C++ f# c#, i+1', ['c++', 'f#', 'c#', 'i', '1']],
		['getUserName', ['getusernam', 'getus', 'get', 'usernam', 'user', 'name']],
		['snake_case', ['snake_case', 'snakecas', 'snake', 'case']],
		['kebab‑case', ['kebab-case', 'kebabcas', 'kebab', 'case']],
		['../path/to/file.ts:', ['path/to/file.ts', 'path', 'to', 'file', 'ts']],
		['user@example.com', ['user@example.com', 'user', 'exampl', 'com']],
		['std::vector', ['std::vector', 'std', 'vector']],
		['E11000', ['e11000', 'e', '11000']],
		['v1.2.3', ['v1.2.3', 'v1', 'v', '1', '2', '3']],
		['0x80070005', ['0x80070005', '0x', '80070005']],
		['XMLHttpRequest', ['xmlhttprequest', 'xmlhttp', 'xml', 'httprequest', 'http', 'request']],
		['URLs', ['url']],
		['a1b2c3d4', ['a1b2c3d4']],
		['The end.Next', ['the', 'end.next', 'end', 'next']],
		['well ... so -- now', ['well', 'so', 'now']],
		['🚀 👩‍🚀 ❤️', ['🚀', '👩', '🚀', '❤']]
	])('[E7] %j', (text, terms) => expect(termsOf(text)).toEqual(terms));

	it.each([
		['Ångström', 'angstrom'],
		['A\u030Angstro\u0308m', 'angstrom'],
		['Straße', 'strass'],
		['Łódź', 'lodz'],
		['ＦＵＬＬ', 'full'],
		['İstanbul', 'istanbul'],
		['ΟΔΟΣ', 'οδοσ'],
		['ёлка', 'елка'],
		['ﬁne', 'fine'],
		['हिन्दी', 'हिन्दी'],
		['한국어', '한국어'],
		['한국어'.normalize('NFD'), '한국어'],
		['می‌خواهم', 'میخواهم'],
		['soft\u00ADhyphen', 'softhyphen']
	])('[E7] diacritics, widths and invisible characters do not matter: %j is %j', (word, term) => expect(termsOf(word)).toEqual([term]));

	it('[E7] a Markdown link and a bare address have their parts', () => {
		const terms = termsOf('[the manual](https://docs.example.org/guide/start.html#install)');
		expect(terms).toEqual(expect.arrayContaining(['manual', 'doc', 'exampl', 'org', 'guid', 'start', 'html', 'instal']));
	});

	it('[E7] a word in Han or Kana is found whatever stands around it', () => {
		for (const text of ['我在北京大学读书', '南京市长江大桥', '私は東京大学でコンピューターを勉強しています', 'ｶﾞｲﾄﾞ']) {
			const terms = new Set(termsOf(text));
			const characters = [...text.normalize('NFKC')];
			characters.slice(1).forEach((character, index) => expect(terms).toContain(characters[index]! + character));
			expect([...terms].filter((term) => term.startsWith(characters.at(-1)!))).not.toEqual([]);
		}
		expect(termsOf('コンピューター')).toContain('コンピューター');
	});

	it('[E7] a text without spaces is divided by dictionary: Thai', () => {
		expect(termsOf('มหาวิทยาลัยเชียงใหม่')).toEqual(['มหาวิทยาลัย', 'เชียงใหม่']);
	});

	it('[E7] code and names are found as a whole and by part', () => {
		const find = searcher({ name: 'return getUserName(id)', path: 'in src/lib/user-list.ts', code: 'ERR_CONNECTION_REFUSED', han: '北京大学' });
		for (const query of ['user', 'username', 'getUserName', 'getusername', 'GETUSERNAME']) expect(find(query)).toContain('name');
		for (const query of ['userlist', 'list', 'lib ts', 'src/lib/user-list.ts']) expect(find(query)).toEqual(['path']);
		for (const query of ['refused', 'connection', 'err_connection_refused', 'ERR']) expect(find(query)).toEqual(['code']);
		for (const query of ['大学', '北京大学']) expect(find(query)).toEqual(['han']);
		expect(find('getuserna', true)).toEqual(['name']);
	});

	it('no term is longer than 64 units, whatever is written', () => {
		fc.assert(
			fc.property(fc.oneof(mixedText, hostileText), (text) => {
				for (const term of termsOf(text)) expect(term.length).toBeLessThanOrEqual(64);
				expect(termsOf('x'.repeat(300) + text)[0]).toHaveLength(64);
			}),
			{ numRuns: 50 }
		);
	});
});

describe('where words are', () => {
	it('tokens are in order, in the text, and the ones that tokenize has', () => {
		fc.assert(
			fc.property(fc.oneof(mixedText, hostileText), (text) => {
				const located = [...locate(text)];
				expect(located.map(({ token }) => token)).toEqual(tokenize(text));
				let [from, position] = [0, 0];
				for (const token of located) {
					expect(token.from).toBeGreaterThanOrEqual(from);
					expect(token.to).toBeGreaterThan(token.from);
					expect(token.to).toBeLessThanOrEqual(text.length);
					expect(token.position).toBeGreaterThanOrEqual(position);
					expect(token.position).toBeLessThanOrEqual(position + 1);
					({ from, position } = token);
				}
				const parts = located.filter(({ parts }) => parts === 1);
				expect(parts.map((token) => token.position)).toEqual(parts.map((_, index) => index));
			})
		);
	});

	it('a query has the words that the text has', () => {
		fc.assert(
			fc.property(mixedText, (text) => {
				const terms = new Set(termsOf(text));
				const isFound = ({ whole, parts }: ReturnType<typeof groupsOf>[number]): boolean =>
					(whole !== undefined && [...terms].some((term) => term.startsWith(processTerm(whole) ?? ''))) || (parts.length > 0 && parts.every(isFound));
				expect(groupsOf(text).filter((group) => !isFound(group))).toEqual([]);
			})
		);
	});

	it('a long text is read in slices, and they have the tokens of the whole', () => {
		const texts = ['A word, getUserName and 北京大学. ', 'x', '大', '🚀', 'a_', '\ud83d', 'ไทย'].map((text) => text.repeat(40_000 / text.length));
		for (const text of texts) {
			const parts = [...slices(text)];
			expect(parts.join('')).toBe(text);
			expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(16_384);
			expect(parts.flatMap((part) => tokenize(part))).toEqual(tokenize(text));
			const last = [...locate(text)].at(-1);
			if (last) expect(last.to).toBeGreaterThan(text.length - 40);
		}
		expect([...slices(texts[0]!)].slice(0, -1).every((part) => part.endsWith(' '))).toBe(true);
		expect([...slices('')]).toEqual(['']);
	});
});

describe('where words are, and how often', () => {
	it('counts as MiniSearch does', async () => {
		expect(countTerms('Run runs RUN run')).toEqual({ positions: new Map([['run', [0, 1, 2, 3].map((first) => packPosition(first, 1))]]), words: 4 });
		await fc.assert(
			fc.asyncProperty(mixedText, async (text) => {
				const { positions, words } = countTerms(text);
				expect(words).toBe(new Set(tokenize(text)).size);
				expect([...positions.values()].reduce((sum, { length }) => sum + length, 0)).toBe(termsOf(text).length);
				expect(new Set(positions.keys())).toEqual(new Set(termsOf(text)));
				expect(await countTermsInSlices(text, () => Promise.resolve())).toEqual({ positions, words });
			})
		);
	});

	it('[E7] positions go on over the slices of a long text, and are in its order', () => {
		fc.assert(
			fc.property(mixedText, (piece) => {
				const text = `${piece} `.repeat(Math.ceil(40_000 / (piece.length + 1)));
				const expected = new Map<string, number[]>();
				for (const { token, position, parts } of locate(text)) {
					const term = processTerm(token);
					if (term !== null) expected.set(term, [...(expected.get(term) ?? []), packPosition(position, parts)]);
				}
				expect(countTerms(text).positions).toEqual(expected);
			}),
			{ numRuns: 5 }
		);
	});

	it('[E7] a name of many parts in camelCase and the word after it have consecutive positions', () => {
		const text = `${'aBc'.repeat(21)} next`;
		const { positions } = countTerms(text);
		const [whole, next] = [text.split(' ')[0]!.toLowerCase(), 'next'].map((word) => positions.get(processTerm(word)!)!);
		expect([whole!.length, positionEnd(whole![0]!)]).toEqual([1, positionStart(next![0]!)]);
	});

	it('lets others have their turn in a long text', async () => {
		let pauses = 0;
		await countTermsInSlices('word '.repeat(100_000), () => Promise.resolve(void pauses++));
		expect(pauses).toBeGreaterThan(20);
	});
});

describe('hostile texts', () => {
	it.each([
		['one word', 'x'.repeat(2_000_000)],
		['joined letters', 'a_'.repeat(200_000)],
		['colons', ':'.repeat(2_000_000)],
		['colons in pairs', '::a'.repeat(200_000)],
		['parts in camelCase', 'aB'.repeat(500_000)],
		['backslashes', '\\'.repeat(2_000_000)],
		['apostrophes', "a's".repeat(200_000)],
		['marks', `a${'\u0301'.repeat(1_000_000)}`],
		['NUL', '\0'.repeat(2_000_000)],
		['lone surrogates', '\ud83d'.repeat(500_000)],
		['joiners', '\u200d'.repeat(500_000)],
		['Han without an end', '大学之道在明明德'.repeat(12_500)],
		['Thai without an end', 'มหาวิทยาลัย'.repeat(10_000)]
	])('%s: takes time by its length only', (_, text) => {
		const started = performance.now();
		tokenize(text);
		expect(performance.now() - started).toBeLessThan(5000);
	});
});
