import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasPhrase, hasPhrases } from '../../../tests/fixtures/phrases';
import { hostileText, mixedText } from '../../../tests/fixtures/search-text';
import { parseQuery, phraseOf } from './index/parse-query';
import { processTerm, tokenize } from './index/words';
import { foundBy } from './found-by';
import { marker, marksOf, matcherOf, merged, type WordMark } from './marks';

/** A text with brackets where it is marked. */
function bracketed(text: string, marks: WordMark[]): string {
	const ends = [0, ...marks.flatMap(([from, to]) => [from, to]), text.length];
	return ends
		.slice(1)
		.map((end, index) => text.slice(ends[index], end) + (index === marks.length * 2 ? '' : index % 2 === 0 ? '[' : ']'))
		.join('');
}

const marked = (query: string, text: string, corrections: string[] = []) => bracketed(text, foundBy(marker(query, [{ word: query.trim(), to: corrections }])(text)));

describe('marks of what a query finds', () => {
	it.each([
		['run ', 'He runs, ran, is running.', 'He [runs], ran, is [running].'],
		['runn', 'A runner is running a run.', 'A [runner] is [running] a [run].'],
		['ångström ', 'An ANGSTRÖM, A\u030Angstrom', 'An [ANGSTRÖM], [A\u030Angstrom]'],
		['user ', 'getUserName get_user_name', 'get[User]Name get_[user]_name'],
		['username ', 'getUserName get_user_name', 'get[UserName] get_[user_name]'],
		['getUserName ', 'a getUserName', 'a [getUserName]'],
		['大学 ', '在北京大学读书', '在北京[大学]读书'],
		['水 ', '水果，喝水', '[水]果，喝[水]'],
		['"user name" ', 'the user, his name, the user name', 'the user, his name, the [user name]'],
		['"user na', 'a user’s name, no user or name', 'a [user’s name], no user or name'],
		['"大桥" a ', '长江大桥 a', '长江[大桥] [a]'],
		['cats -dogs ', 'cats and dogs', '[cats] and dogs'],
		['🚀 ', 'to 🚀!', 'to [🚀]!'],
		['word10 ', 'word1 word10 word11 a word 10', 'word1 [word10] word11 a word 10'],
		['word10', 'word1 word10 word100 a word', 'word1 [word10] [word100] a word'],
		['word10 ', 'word 9, word 10', '[word] 9, [word] [10]'],
		['wrd10 word ', 'word1 word2', '[word]1 [word]2'],
		['getUserName ', 'getUserName, get_user_id', '[getUserName], get_user_id'],
		['getUserName ', 'get_user_name', '[get]_[user]_[name]'],
		['get-user user ', 'get-user, user', '[get-user], [user]'],
		['', 'nothing', 'nothing'],
		['-dogs', 'dogs', 'dogs']
	])('[E7] %j in %j', (query, text, expected) => expect(marked(query, text)).toBe(expected));

	it('[E7] what was taken for a word that is nowhere is marked', () => {
		expect(marked('conection ', 'a connection', ['connection'])).toBe('a [connection]');
		expect(marked('conection ', 'a connection', ['connect'])).toBe('a [connection]');
	});

	it('they are inside the text, in order and apart, and cover words that match', () => {
		fc.assert(
			fc.property(fc.oneof(mixedText, hostileText), fc.oneof(mixedText, hostileText), (text, query) => {
				const marks = marker(query)(text);
				let end = -1;
				for (const [from, to] of marks) {
					expect(from).toBeGreaterThan(end);
					expect(to).toBeGreaterThan(from);
					end = to;
				}
				expect(end).toBeLessThanOrEqual(text.length);
				const matches = matcherOf(parseQuery(query));
				const isFound = tokenize(text).some((token) => matches(processTerm(token) ?? '') !== 0);
				expect([...marksOf(text, matches)].length > 0).toBe(isFound);
			})
		);
	});

	it('those that touch or overlap are one', () => {
		expect(
			merged([
				[4, 6, 1, 1],
				[0, 2, 2, 0],
				[2, 3, 4, 4],
				[4, 5, 1, 0]
			])
		).toEqual([
			[0, 3, 6, 4],
			[4, 6, 1, 1]
		]);
	});
});

describe('whether a text has a phrase', () => {
	it.each([
		['quick fox', 'The quick, (fox)', true],
		['quick fox', 'a quick brown fox', false],
		['fox quick', 'quick fox', false],
		['quick quick fox', 'quick quick quick fox', true],
		['foxes', 'a fox', true],
		['user name', 'getUserName', true],
		['username list', 'a user-name list', true],
		['getUserName', 'get the user name', false],
		['to/file', 'path/to/file.ts', true],
		['file.ts is', 'path/to/file.ts is', true],
		['大学读', '北京大学读书', true],
		['大学书', '北京大学读书', false],
		['使用 React 组件', '我使用React组件库', true],
		['don’t know', "I don't know", true],
		['', 'anything', false]
	])('[E7] %j in %j: %j', (phrase, text, expected) => expect(hasPhrase(text, phraseOf(phrase))).toBe(expected));

	it('[E7] each piece of a text is in it', () => {
		fc.assert(
			fc.property(mixedText, fc.nat(40), fc.nat(40), (text, from, count) => {
				const words = text.split(/\s+/);
				const piece = words.slice(from % words.length, (from % words.length) + count + 1).join(' ');
				const phrase = phraseOf(piece);
				// Thai is divided by what stands around it, which is all there here too.
				if (phrase.length > 0) expect([piece, hasPhrase(text, phrase)]).toEqual([piece, true]);
			})
		);
	});

	it('[E7] a query wants all of its phrases and none that it leaves out; the last one may be open', () => {
		const has = (text: string, query: string) => hasPhrases(text, parseQuery(query));
		expect(has('a big red dog', '"big red" "red dog"')).toBe(true);
		expect(has('a big red dog', '"big red" "red cat"')).toBe(false);
		expect(has('a big red dog', 'dog -"big red"')).toBe(false);
		expect(has('a big red dog', 'dog -"big dog"')).toBe(true);
		expect(has('is running late', '"is runnin')).toBe(true);
		expect(has('is running late', '"is runnin"')).toBe(false);
	});

	it('looks through a long text in time by its length', () => {
		const text = 'a '.repeat(200_000);
		const started = performance.now();
		expect(hasPhrase(text, [...Array<string>(31).fill('a'), 'b'])).toBe(false);
		expect(performance.now() - started).toBeLessThan(5000);
	});
});
