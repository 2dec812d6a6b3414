import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleFrom } from './title';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function lengthOf(title: string): number {
	return [...segmenter.segment(title)].length;
}

describe('[S2] a title is what was asked', () => {
	it.each([
		['What is the capital of France?', 'What is the capital of France?'],
		['how do closures work in JavaScript', 'How do closures work in JavaScript'],
		['Hi! Can you please tell me what the capital of France is?', 'What the capital of France is?'],
		['hey there, could you explain monads to me please', 'Explain monads to me'],
		['hello can you help me with my taxes? I moved last year.', 'My taxes?'],
		['Good morning!\n\nI’d like to know how bees sleep. Thanks!', 'How bees sleep'],
		['Please, write a poem about rain.', 'Write a poem about rain'],
		['Thanks! Now make it shorter.', 'Now make it shorter'],
		['Thank you note for a wedding', 'Thank you note for a wedding'],
		['Hello world in Rust', 'Hello world in Rust'],
		['Would you rather questions for kids', 'Would you rather questions for kids'],
		['No module named foo', 'No module named foo'],
		['Ok, so how does it end?', 'So how does it end?'],
		['Quick question: which way is north?', 'Which way is north?'],
		['I want you to act as a Linux terminal. Reply only with output.', 'Act as a Linux terminal'],
		['# Plan\n\nthe rest', 'Plan'],
		['- **Bold** and *slanted* [link](https://example.com/a_b) with `code`', 'Bold and slanted link with code'],
		['> quoted\nreply', 'Quoted'],
		['1. First, 2. second', 'First, 2. second'],
		['```js\nlet a = 1;\n```\nWhy does this fail?', 'Why does this fail?'],
		['main.py fails with e.g. an error. Help!', 'main.py fails with e.g. an error'],
		['What did Dr. Smith say? I forgot.', 'What did Dr. Smith say?'],
		['iPhone or Android?', 'iPhone or Android?'],
		['List<String> to array in Java', 'List<String> to array in Java'],
		['snake_case_names and 2 * 3 * 4', 'snake_case_names and 2 * 3 * 4'],
		['how old is the_universe\r\nreally', 'How old is the_universe'],
		['你好！请解释一下量子纠缠是什么。谢谢', '请解释一下量子纠缠是什么'],
		['日本の首都はどこですか？教えてください。', '日本の首都はどこですか？'],
		['ما هي عاصمة فرنسا؟', 'ما هي عاصمة فرنسا؟'],
		['Привет! Как приготовить борщ?', 'Как приготовить борщ?'],
		['Plan a trip 👨‍👩‍👧‍👦 to Rome', 'Plan a trip 👨‍👩‍👧‍👦 to Rome'],
		[
			'Why does the second law of thermodynamics not forbid that refrigerators work as well as they do?',
			'Why does the second law of thermodynamics not forbid that…'
		],
		['量'.repeat(80), `${'量'.repeat(59)}…`],
		[`See ${'👨‍👩‍👧‍👦'.repeat(80)}`, `See ${'👨‍👩‍👧‍👦'.repeat(55)}…`]
	])('%j', (question, title) => expect(titleFrom(question)).toBe(title));
});

describe('[S2] no title where the question says too little: the next one may give it', () => {
	it.each(['', 'hi', 'Hello there!', 'thanks', '???', '...', '👍', '你好', '```py\nprint(1)\n```', '`npm ci`'])('%j', (question) =>
		expect(titleFrom(question)).toBe('')
	);
});

const pieces = fc.constantFrom(
	...['hi', 'Hello,', 'please', 'can you', 'tell me', 'why', 'bees', 'sleep?', 'Yes.', 'thanks', '`code`', '**bold**', '# ', '- '],
	...['\n', '> ', '_it_', '你好', '量子。', '👨‍👩‍👧‍👦', 'e\u0301', '```', '...', '!', 'a.b', 'I’d like to know', '[a](b)', '|', '…']
);
const texts = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 200 }),
	fc.string({ unit: 'binary', maxLength: 200 }),
	fc.array(pieces, { maxLength: 40, size: 'max' }).map((words) => words.join(' '))
);

describe('[S2] any title', () => {
	it('is one line of at most 60 characters, without space around it', () => {
		fc.assert(
			fc.property(texts, (question) => {
				const title = titleFrom(question);
				expect(lengthOf(title)).toBeLessThanOrEqual(60);
				expect(title).not.toMatch(/[\n\r\u2028\u2029]/);
				expect(title).toBe(title.trim());
			}),
			{ numRuns: 1000 }
		);
	});

	it('of plain words is its own title', () => {
		const words = fc.array(fc.stringMatching(/^[\p{L}\p{N}]{2,12}$/u), { minLength: 1, maxLength: 20, size: 'max' });
		fc.assert(
			fc.property(words, fc.constantFrom('', '.', '?', '!'), (words, end) => {
				const title = titleFrom(words.join(' ') + end);
				expect(titleFrom(title)).toBe(title);
			})
		);
	});

	it('of a very long text takes no time', () => {
		const started = performance.now();
		for (const unit of ['*', '[', '<b ', '_a', '`', 'a. ', '> ', '| ', 'hi ', '#']) titleFrom(unit.repeat(300_000));
		expect(performance.now() - started).toBeLessThan(2000);
	});
});
