import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxStallMs } from '../../../tests/fixtures/max-stall';
import { cutPieces, wordDifferences, type ComparedPiece } from './word-differences';

const told = (pieces: ComparedPiece[] | undefined) => pieces?.map(({ text, isOwn }) => (isOwn ? `[${text}]` : text)).join('');
async function marked(a: string, b: string) {
	const found = await wordDifferences(a, b);
	return found && [told(found.a), told(found.b)];
}

/** Returns the longest that `work` kept everything else waiting, in milliseconds. */
async function stallOf(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let last = performance.now();
	const note = () => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	};
	const watch = setInterval(note);
	await work();
	clearInterval(watch);
	note();
	return longest;
}

describe('wordDifferences', () => {
	it('[P4] marks the words that only one of two texts has', async () => {
		expect(await marked('The pump was stopped at dawn.', 'The pump was started at dawn, twice.')).toEqual([
			'The pump was [stopped] at dawn.',
			'The pump was [started] at dawn[, twice].'
		]);
		expect(await marked('one\n\ntwo', 'one\ntwo')).toEqual(['one\n[\n]two', 'one\ntwo']);
		expect(await marked('same', 'same')).toEqual(['same', 'same']);
	});

	it('[P4] marks what is replaced in a row as one, with the spaces between', async () => {
		expect(await marked('It is a red old door here', 'It is the green new gate here')).toEqual(['It is [a red old door] here', 'It is [the green new gate] here']);
	});

	it('[P4] tells words apart that nothing stands between', async () => {
		expect(await marked('私は東京に住んでいます。', '私は京都に住んでいます。')).toEqual(['私は[東京]に住んでいます。', '私は[京都]に住んでいます。']);
		expect(await marked('我今天去北京。', '我明天去北京。')).toEqual(['我[今天]去北京。', '我[明天]去北京。']);
	});

	it('[P4] marks nothing where two have no word in common', async () => {
		expect(await wordDifferences('Pears.', 'Figs.')).toBeUndefined();
		expect(await wordDifferences('', 'Figs')).toBeUndefined();
	});

	it('[P4] takes little of the page for long texts that have nothing in common', async () => {
		const wide = (first: number) => Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(first + ((at * 7919) % 3000))).join('');
		const words = (letter: string) => Array.from({ length: 100_000 / 8 }, (_, at) => letter + at.toString(36).padStart(6, '0')).join(' ');
		for (const [a, b] of [
			[wide(0x4e00), wide(0x6000)],
			[words('a'), words('b')],
			['a'.repeat(100_000), 'b'.repeat(100_000)],
			[' '.repeat(100_000), '\n'.repeat(100_000)]
		] as const) {
			// The best of some rounds: a busy machine only ever adds to a time.
			let best = Infinity;
			for (let round = 0; round < 5 && best >= maxStallMs; round++) best = Math.min(best, await stallOf(async () => expect(await wordDifferences(a, b)).toBeUndefined()));
			expect(best).toBeLessThan(maxStallMs);
		}
		expect(await wordDifferences('a '.repeat(50_001), 'a')).toBeUndefined();
	});

	it('[P4] gives both texts back', async () => {
		const text = fc.array(fc.oneof(fc.constantFrom(' ', '\n', '\r\n', 'a', 'the', '東京', '👩‍👩‍👧', 'é', '\u0301', '\u202e', '<mark>', '\ud800'), fc.string({ unit: 'binary' }))).map((words) => words.join(''));
		await fc.assert(
			fc.asyncProperty(text, text, async (a, b) => {
				const found = await wordDifferences(`x ${a}`, `x ${b}`);
				if (!found) return;
				const textOf = (pieces: ComparedPiece[]) => pieces.map(({ text }) => text).join('');
				expect([textOf(found.a), textOf(found.b)]).toEqual([`x ${a}`, `x ${b}`]);
				const common = (pieces: ComparedPiece[]) => pieces.filter(({ isOwn }) => !isOwn).map(({ text }) => text).join('').replaceAll(/\s/g, '');
				expect(common(found.a)).toBe(common(found.b));
			})
		);
	});
});

describe('cutPieces', () => {
	it('[P4] cuts pieces at the lengths given, and leaves out what follows', () => {
		const pieces = [
			{ text: 'abc', isOwn: false },
			{ text: 'defg', isOwn: true },
			{ text: 'h', isOwn: false }
		];
		expect(cutPieces(pieces, [2, 3, 1]).map(told)).toEqual(['ab', 'c[de]', '[f]']);
		expect(cutPieces(pieces, [100]).map(told)).toEqual(['abc[defg]h']);
	});
});
