// Conversations for the bench, as many as it wants: sentences that people wrote, in another order. The same number gives
// the same message anywhere, so that what is compared is given the same words without keeping them.

/**
 * @typedef {import('./material.mjs').Material} Material
 * @typedef {{ number: number, session: number, role: 'user' | 'assistant', model?: string, text: string }} CorpusMessage
 * @typedef {{ text: string, words: number }} Sentence
 */

/** Of each session. */
export const messagesPerSession = 40;

/** By session, in turns. */
export const models = ['smollm2-135m', 'gpt-4.1-mini', 'llama-3.1-8b', 'qwen2.5-7b'];

/** Words: the middle of each role's lengths, how far they spread, and where they end. A tenth of the answers has over 240. */
const lengths = { user: 20, assistant: 72, spread: 0.95, most: 800 };
const shareWithCode = 0.15;
const shareOnTopic = 0.6;
/** Of the sentences: how many have a word in them that hardly any other has, such as a name or an error's code. */
const shareWithRare = 0.25;

/**
 * @param {Material} material
 * @returns {(number: number) => CorpusMessage} makes the message of a number, 0 or more
 */
export function createCorpus(material) {
	const files = material.files.map((sentences) => sentences.map((text) => ({ text, words: text.split(' ').length })));
	const all = shuffled(files.flat());
	const wordsForNames = [...new Set(all.flatMap(({ text }) => text.match(/\b[a-z]{4,9}\b/g) ?? []))].sort().slice(0, 4096);

	/** @param {() => number} random @param {Sentence[][]} topic @returns {Sentence} */
	const sentence = (random, topic) => {
		const file = random() < shareOnTopic ? topic[Math.floor(random() * topic.length)] : undefined;
		// Some are said over and over, most of them hardly ever.
		return /** @type {Sentence} */ (file ? file[Math.floor(random() * file.length)] : all[Math.floor(random() ** 3 * all.length)]);
	};

	return (number) => {
		const session = Math.floor(number / messagesPerSession);
		const ofSession = randoms(session, 1);
		const topic = [0, 1, 2].map(() => /** @type {Sentence[]} */ (files[Math.floor(ofSession() * files.length)]));
		const random = randoms(number, 2);
		const role = number % 2 === 0 ? 'user' : 'assistant';
		const wanted = Math.min(lengths.most, lengths[role] * Math.exp(lengths.spread * normal(random)));
		let text = '';
		for (let words = 0; words < wanted; ) {
			const next = sentence(random, topic);
			if (text !== '') text += random() < 0.2 ? '\n\n' : ' ';
			text += random() < shareWithRare ? `${next.text} ${rareWord(random, wordsForNames)}` : next.text;
			words += next.words;
		}
		if (random() < shareWithCode) text += `\n\n\`\`\`\n${material.code[Math.floor(random() * material.code.length)]}\`\`\``;
		const model = /** @type {string} */ (models[session % models.length]);
		return { number, session, role, text, ...(role === 'assistant' && { model }) };
	};
}

/**
 * The id of the session or the message of a number, like those that Snug makes: a time, then randomness.
 * @param {'session' | 'message'} kind @param {number} number
 */
export function corpusId(kind, number) {
	const random = randoms(number, kind === 'session' ? 3 : 4);
	const hex = (/** @type {number} */ digits) => Math.floor(random() * 16 ** digits).toString(16).padStart(digits, '0');
	const time = corpusTime(kind === 'session' ? number * messagesPerSession : number).toString(16).padStart(12, '0');
	return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}

/** When a message was written, in epoch milliseconds: one each minute and a half. @param {number} number */
export function corpusTime(number) {
	return Date.UTC(2024, 0, 1) + number * 90_000;
}

/**
 * A word from an endless list of which the first ones come often: so the more messages, the more words there are, as in
 * what people write.
 * @param {() => number} random @param {string[]} words
 */
function rareWord(random, words) {
	const rank = Math.floor((1 - random()) ** -4);
	const ofRank = randoms(Math.min(rank, 2 ** 31), 5);
	const word = () => /** @type {string} */ (words[Math.floor(ofRank() * words.length)]);
	const capital = () => word().replace(/^./, (letter) => letter.toUpperCase());
	const syllables = () => Array.from({ length: 3 }, () => `${pick('bdfgklmnprstvz', ofRank)}${pick('aeiou', ofRank)}`).join('');
	const kinds = [
		() => syllables().replace(/^./, (letter) => letter.toUpperCase()),
		() => `${word()}${capital()}${capital()}`,
		() => `${word()}_${word()}`,
		() => `src/${word()}/${word()}.ts`,
		() => `ERR_${word().toUpperCase()}_${word().toUpperCase()}`,
		() => Math.floor(ofRank() * 2 ** 32).toString(16)
	];
	return /** @type {() => string} */ (kinds[Math.floor(ofRank() * kinds.length)])();
}

/** @param {string} letters @param {() => number} random */
const pick = (letters, random) => letters[Math.floor(random() * letters.length)];

/** @template T @param {T[]} items @returns {T[]} */
function shuffled(items) {
	const random = randoms(0, 6);
	return items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at).map(({ item }) => item);
}

/** One of a bell curve around 0 with a spread of 1 (Box and Muller). @param {() => number} random */
function normal(random) {
	return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * Numbers from 0 up to 1 that look random and are the same each time (Marsaglia's xorshift, seeded by a mix of both).
 * @param {number} seed @param {number} stream
 * @returns {() => number}
 */
export function randoms(seed, stream) {
	let state = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca77);
	state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
	state = (state ^ (state >>> 13)) || 1;
	const next = () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) / 2 ** 32;
	};
	// The first ones of neighbouring seeds resemble each other.
	for (let i = 0; i < 4; i++) next();
	return next;
}
