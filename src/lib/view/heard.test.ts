import { describe, expect, it } from 'vitest';
import { saidIn, settledIn, type Heard } from './heard';

const result = (words: string, confidence: number): Heard => ({ words, isFinal: true, confidence, wasInterim: false });
const interim = (words: string): Heard => ({ words, isFinal: false, confidence: 0, wasInterim: true });
const marked = (words: string, confidence: number): Heard => ({ words, isFinal: true, confidence, wasInterim: true });

/** The words that are written as these results come one by one, and what is left when it ends there. */
function written(...results: Heard[]): string[] {
	const texts: string[] = [];
	let count = 0;
	for (const [at] of results.entries()) {
		const heard = results.slice(0, at + 1);
		const settled = settledIn(heard);
		if (settled > count) texts.push(saidIn(heard, count, settled).trim());
		count = Math.max(count, settled);
	}
	return [...texts, saidIn(results, count).trim()];
}

describe('a recogniser that marks as final what may still change', () => {
	it('has its words written once, when it is sure', () => {
		expect(written(result('hello', 0), result('hello how', 0), result('hello how are you', 0.9))).toEqual(['hello how are you', '']);
		expect(written(result('hello', 0), result('hello', 0.9), result('fine', 0), result('fine thanks', 0.8))).toEqual(['hello', 'fine thanks', '']);
		expect(written(result('hello', 0), result('hello Paris', 0), result('Hello, Paris.', 0.9))).toEqual(['Hello, Paris.', '']);
	});

	it('has words written once that it corrects', () => {
		expect(written(result('wreck', 0), result('wreck a nice', 0), result('recognise', 0), result('recognise speech', 0.9))).toEqual(['recognise speech', '']);
		expect(written(result('hello', 0), result('hello you', 0.9), result('yellow', 0), result('hello again', 0))).toEqual(['hello you', 'hello again']);
	});

	it('loses no words where it ends before it is sure', () => {
		expect(written(result('hello', 0), result('hello how', 0))).toEqual(['hello how']);
		expect(written(result('hello', 0), result('hello how', 0), result('fine', 0), result('fine thanks', 0))).toEqual(['hello how fine thanks']);
		expect(written(result('今日', 0), result('今日は', 0))).toEqual(['今日は']);
	});

	it('has only the rest written of what repeats that it was sure of', () => {
		expect(written(result('hello', 0.9), result('hello how', 0), result('hello how are you', 0.9))).toEqual(['hello', 'how are you', '']);
		expect(written(result('hello', 0.9), result('hello', 0.9))).toEqual(['hello', '', '']);
		expect(written(result('I', 0.9), result('It is', 0.9))).toEqual(['I', 'It is', '']);
	});
});

describe('a recogniser that marks what may still change', () => {
	it('has its finals written at once, whatever it thinks of them', () => {
		expect(written(marked('hello', 0), marked(' how are you', 0), interim(' fine'), interim(' thanks'))).toEqual(['hello', 'how are you', 'fine thanks']);
	});

	it('has words written as often as they were said', () => {
		expect(written(marked('no', 0.9), marked('no way', 0.9))).toEqual(['no', 'no way', '']);
	});
});

it('has words of a recogniser written that is sure of none, or of some', () => {
	expect(written(result('one', 0), result('two', 0))).toEqual(['one two']);
	expect(written(result('one', 0), result('two', 0.9))).toEqual(['one two', '']);
	expect(written(result('', 0), result('one', 0))).toEqual(['one']);
	expect(written()).toEqual(['']);
});
