import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoresByMiniSearch } from '../../../../tests/fixtures/mini-search';
import { hostileText, mixedText } from '../../../../tests/fixtures/search-text';
import { parseQuery, toQuery } from './parse-query';
import type { Query } from './query';

const none = new Set<number>();

/** A query as it can be read: terms as they are, `*` behind a beginning, `~` and the distance behind what matches fuzzily. */
function shown(query: Query | undefined): string {
	if (!query) return '';
	if (query.kind !== 'term') return `${query.kind}(${query.of.map(shown).join(' ')})`;
	return query.term + (query.prefix ? '*' : '') + (query.distance > 0 ? `~${query.distance}` : '');
}

const asked = (text: string, typos: ReadonlySet<number> = none) => shown(toQuery(parseQuery(text), typos));

/** Returns the indexes of the texts that match a query. */
function found(query: string, texts: string[], typos = none): number[] {
	const asked = toQuery(parseQuery(query), typos);
	const scores = scoresByMiniSearch(texts.map((text, id) => ({ key: String(id), text })));
	return asked ? [...scores(asked).keys()].map(Number).sort() : [];
}

describe('what a query asks for', () => {
	it.each([
		['', ''],
		['  - "" -"" ( ', ''],
		['Running dogs ', 'all(run dog)'],
		['foo(bar)', 'all(foo bar)'],
		['dog', 'dog*'],
		['dogs', 'any(dogs* dog)'],
		['a dog', 'all(a dog*)'],
		['dog.', 'dog'],
		['"big dogs"', 'phrase(big dog)'],
		['“big dogs” «cat» „bird“', 'all(phrase(big dog) cat bird)'],
		['"big do', 'phrase(big do*)'],
		['"big dogs', 'phrase(big any(dogs* dog))'],
		['"big dogs ', 'phrase(big dog)'],
		['"big \u3164', 'big'],
		['"水 果 水"', 'phrase(水 果 水*)'],
		['"水', '水*'],
		['dogs -cat -"big bird" ', 'without(dog cat phrase(big bird))'],
		['dogs -getUserName ', 'without(dog phrase(get user name))'],
		['dogs -cats', 'without(dog cat)'],
		['e-mail - x ', 'all(any(e-mail email all(e mail)) x)'],
		['--force ', 'forc'],
		['getUserName ', 'any(getusernam all(get user name))'],
		['getUserNa', 'any(any(getuserna* getusern) all(get user na*))'],
		['.*[a-z]+(?=foo)$', 'all(any(a-z az all(a z)) foo)'],
		['北京大学 ', 'all(北京 大学)'],
		['ガイド ', 'any(ガイド all(ガイ イド))'],
		['水 ', '水*'],
		['c++ C# ', 'all(c++ c#)']
	])('[E7] %j is %j', (text, query) => expect(asked(text)).toBe(query));

	it('[E7] a phrase is its smallest parts, one after the other', () => {
		expect(parseQuery('"Path/to the files" -"no good" -getUserName x ')).toMatchObject({
			phrases: [['path', 'to', 'the', 'file']],
			isOpen: false,
			notPhrases: [
				['no', 'good'],
				['get', 'user', 'name']
			],
			words: [{ written: 'x' }]
		});
		expect(parseQuery('"one "two thr')).toMatchObject({ phrases: [['on']], isOpen: false, words: [{ written: 'two' }, { written: 'thr' }] });
		expect(parseQuery('a "one thr')).toMatchObject({ phrases: [['on', 'thr']], isOpen: true });
	});

	it('[E7] a typo is forgiven from four letters on, two from eight', () => {
		expect(asked('cat word recieving dictionary ', new Set([0, 1, 3]))).toBe('all(cat word~1 reciev dictionari~2)');
		expect(found('conection ', ['a connection', 'nothing'], new Set([0]))).toEqual([0]);
	});

	it('[E7] what was typed is found in what was written', () => {
		const texts = ['in src/lib/user-list.ts: getUserName(id)', 'an e-mail, or email?', '北京大学 and 水果', 'user lists', 'The Ångström was organized'];
		for (const query of ['user-list.ts', 'lib/user-list', 'userlist', 'username', 'get_user_name', 'getUserN']) expect(found(query, texts)).toContain(0);
		for (const query of ['email', 'e-mail', 'e-mai', 'E-MAIL ']) expect(found(query, texts)).toEqual([1]);
		for (const query of ['大学', '京大', '北京大学', '水', '水 ', '果']) expect(found(query, texts)).toEqual([2]);
		expect(found('user-list ', texts)).toEqual([0, 3]);
		for (const query of ['angstrom organization', 'ÅNGSTROM organi']) expect(found(query, texts)).toEqual([4]);
		expect(found('user -ts ', texts)).toEqual([3]);
	});
});

describe('while a word is typed', () => {
	const words =
		'running runner connection connections happiness happily organization organizations organizational relational conditional studies studied ' +
		'studying generalization generously dying lying agreed hopefulness callousness formality sensitivity sensibility electrical adjustable ' +
		'replacement adjustment dependent adoption communism activate homologous effective bowdlerize controlled rolling possibly possible ' +
		'university abilities national rationally triplicate formative formalize electricity goodness allowance inference defensible irritant ' +
		'hesitancy digitizer conformably radically differently vilely analogously vietnamization predication operator feudalism decisiveness ' +
		'database indexes indices searching searched queries typing typed stopped stopping biggest canonicalization civilizations skies';

	it.each(words.split(' '))('[E7] %s is found from three letters on', (word) => {
		for (let length = 3; length <= word.length; length++) {
			expect([word.slice(0, length), found(word.slice(0, length), [`It is ${word}.`])]).toEqual([word.slice(0, length), [0]]);
		}
	});

	it('[E7] few other words are found besides', () => {
		expect(asked('organizat')).toBe('any(organizat* organiz organ)');
		expect(asked('und')).toBe('und*');
	});
});

describe('what is refused', () => {
	it('a text that is too long, or has too many words, with a sentence that says what to do', () => {
		expect(parseQuery('x'.repeat(1001)).refused).toMatch(/1,000 characters\. Try/);
		expect(parseQuery('x'.repeat(1000)).refused).toBeUndefined();
		expect(parseQuery('word '.repeat(33)).refused).toMatch(/32 words\. Try/);
		expect(parseQuery(`"${'word '.repeat(33)}"`).refused).toMatch(/32 words/);
		expect(parseQuery('word '.repeat(32)).refused).toBeUndefined();
		expect(parseQuery(`"${'a.'.repeat(101)}"`).refused).toMatch(/too long/);
		expect(parseQuery(`word -${'a.'.repeat(101)}`).refused).toMatch(/too long/);
		expect(parseQuery(`"${'a.'.repeat(100)}"`).refused).toBeUndefined();
		expect(parseQuery('word '.repeat(20_000))).toMatchObject({ words: [], phrases: [] });
	});

	it('a query that only leaves out', () => {
		expect(parseQuery('-cat').refused).toMatch(/Add a word/);
		expect(parseQuery('-"big cat"').refused).toMatch(/Add a word/);
		expect(parseQuery('-cat dog').refused).toBeUndefined();
		expect(parseQuery('-').refused).toBeUndefined();
	});

	it('nothing else: any text is understood', () => {
		fc.assert(
			fc.property(fc.oneof(mixedText, hostileText, fc.string({ unit: 'binary', maxLength: 100 })), (text) => {
				const parsed = parseQuery(text);
				if (parsed.refused !== undefined) return;
				const query = toQuery(parsed, new Set([0, 1]));
				expect(query === undefined).toBe(parsed.words.length === 0 && parsed.phrases.length === 0);
				expect(JSON.stringify(query) ?? '').not.toContain('"term":""');
			})
		);
	});
});
