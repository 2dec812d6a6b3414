// What the search is asked in the bench: a mix as a person's, made from what is in the corpus, in the words of either side.
import { randoms } from './corpus.mjs';

/**
 * `text` is what Snug is asked, `match` the same for FTS5: words that all must be there, a prefix only where one is typed.
 * The space behind the last word says that it is whole. `session` is the number of the only session that is wanted.
 * @typedef {{ kind: string, text: string, match: string, session?: number, role?: 'user' | 'assistant' }} Query
 */

/** The messages that the words are taken from: fewer than any corpus that is measured has. */
const sampled = 10_000;

/**
 * @param {(number: number) => import('./corpus.mjs').CorpusMessage} makeMessage
 * @returns {{ warmUp: Query[], timed: Query[], typos: Query[] }} warmUp: others of the same kinds; typos: words that are nowhere, but near ones are
 */
export function makeQueries(makeMessage) {
	const messages = Array.from({ length: sampled }, (_, number) => makeMessage(number));
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const { text } of messages) for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
	const sample = { messages, counts };
	const isOther = otherThan(makeMix(sample, 1));
	return {
		warmUp: makeMix(sample, 2).filter((query, index) => index % 5 === 0 && isOther(query)),
		timed: makeMix(sample, 1),
		typos: makeTypos(sample)
	};
}

/** @param {Query[]} queries @returns {(query: Query) => boolean} */
function otherThan(queries) {
	const texts = new Set(queries.map(({ text }) => text));
	return ({ text }) => !texts.has(text);
}

/** @typedef {{ messages: import('./corpus.mjs').CorpusMessage[], counts: Map<string, number> }} Sample */

/** @param {Sample} sample @param {number} seed @returns {Query[]} about 200 */
function makeMix(sample, seed) {
	const random = randoms(seed, 7);
	const common = wordsWithin(sample, 0.08, 1);
	const medium = wordsWithin(sample, 0.004, 0.02);
	const rare = wordsWithin(sample, 0.0003, 0.0015);
	const oneOf = (/** @type {string[]} */ words) => /** @type {string} */ (words[Math.floor(random() * words.length)]);
	/** @template T @param {number} count @param {() => T} make */
	const times = (count, make) => Array.from({ length: count }, make);

	return [
		...times(25, () => wholeWords('common word', [oneOf(common)])),
		...times(30, () => wholeWords('medium word', [oneOf(medium)])),
		...times(25, () => wholeWords('rare word', [oneOf(rare)])),
		...times(30, () => wholeWords('two words', together(sample, random, 2))),
		...times(15, () => wholeWords('three words', together(sample, random, 3))),
		...times(12, () => oneOf(medium.filter((word) => word.length > 5))).flatMap((word) => [2, 3, 4, 5].map((length) => prefix([], word.slice(0, length)))),
		...times(8, () => together(sample, random, 2)).map(([first = '', second = '']) => prefix([first], second.slice(0, 3))),
		...times(20, () => phrase(sample, random)),
		...times(8, () => {
			const { session, text } = anyOf(sample.messages, random);
			return within(wholeWords('in a session', [oneOf(wordsOf(text))]), { session });
		}),
		...times(8, () => within(wholeWords('of a role', [oneOf(medium)]), { role: random() < 0.5 ? 'user' : 'assistant' }))
	];
}

/** @param {string} kind @param {string[]} words @returns {Query} */
function wholeWords(kind, words) {
	return { kind, text: `${words.join(' ')} `, match: words.map((word) => `"${word}"`).join(' AND ') };
}

/** @param {string[]} words @param {string} start @returns {Query} */
function prefix(words, start) {
	const match = [...words.map((word) => `"${word}"`), `"${start}"*`].join(' AND ');
	return { kind: 'while typing', text: [...words, start].join(' '), match };
}

/** Two or three words as they stand in a message, not all of them common. @param {Sample} sample @param {() => number} random @returns {Query} */
function phrase({ messages, counts }, random) {
	for (;;) {
		const found = [...anyOf(messages, random).text.matchAll(/(?<![\w`.'-])[a-z]{3,}(?: [a-z]{2,}){1,2}(?![\w`.'-])/g)].map(([words]) => words);
		const words = found[Math.floor(random() * found.length)];
		if (words?.split(' ').some((word) => (counts.get(word) ?? 0) < sampled / 10)) {
			return { kind: 'phrase', text: `"${words}"`, match: `"${words}"` };
		}
	}
}

/** @param {Query} query @param {Pick<Query, 'session' | 'role'>} filter @returns {Query} */
function within(query, filter) {
	const tag = filter.session === undefined ? roleTag(String(filter.role)) : sessionTag(filter.session);
	return { ...query, ...filter, match: `${query.match} AND ${tag}` };
}

/** What FTS5 knows a session by: a word that no message has, and none begins so. @param {number} session */
export const sessionTag = (session) => `qqs${session}`;

/** The same for a role. @param {string} role */
export const roleTag = (role) => `qq${role}`;

/** Words that are in one message together, with a rarer one among them. @param {Sample} sample @param {() => number} random @param {number} count */
function together({ messages, counts }, random, count) {
	for (;;) {
		const words = [...new Set(wordsOf(anyOf(messages, random).text))].sort(() => random() - 0.5).slice(0, count);
		if (words.length === count && words.some((word) => (counts.get(word) ?? 0) < sampled / 20)) return words;
	}
}

/** Two neighbouring letters in the wrong order, where no such word is. @param {Sample} sample @returns {Query[]} */
function makeTypos(sample) {
	const random = randoms(3, 7);
	return wordsWithin(sample, 0.004, 0.02)
		.filter((word) => word.length > 5)
		.map((word) => {
			const at = 1 + Math.floor(random() * (word.length - 3));
			return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
		})
		.filter((word) => !sample.counts.has(word))
		.filter((_, index, { length }) => index % Math.ceil(length / 30) === 0)
		.map((word) => wholeWords('typo', [word]));
}

/** @param {Sample} sample @param {number} least @param {number} most shares of the messages */
function wordsWithin({ counts }, least, most) {
	return [...counts].flatMap(([word, count]) => (count >= least * sampled && count <= most * sampled ? [word] : [])).sort();
}

/** The plain words of a text. @param {string} text @returns {string[]} */
function wordsOf(text) {
	return (text.match(/(?<![\w$@#/.-])[A-Za-z][a-z]{2,}(?![\w$@#/-])/g) ?? []).map((word) => word.toLowerCase());
}

/** @template T @param {T[]} items @param {() => number} random */
const anyOf = (items, random) => /** @type {T} */ (items[Math.floor(random() * items.length)]);
