import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, finish, say, think } from '../../../../tests/fixtures/scripted-model';
import { readParts } from './model-stream';

type Part = LanguageModelV4StreamPart;

/** A stream that has these parts at hand, but for its breaks, at which the next part is a task away. */
function streamOf(steps: Iterable<Part | 'break'>): ReadableStream<Part> {
	const left = steps[Symbol.iterator]();
	return new ReadableStream({
		async pull(controller) {
			let step = left.next();
			for (; step.value === 'break'; step = left.next()) await new Promise((resolve) => setTimeout(resolve));
			if (step.done) controller.close();
			else controller.enqueue(step.value);
		}
	});
}

async function partsOf(stream: ReadableStream<Part>, signal = new AbortController().signal): Promise<Part[]> {
	const parts: Part[] = [];
	for await (const part of readParts(stream, signal)) parts.push(part);
	return parts;
}

const wordsOf = (parts: Part[], type: 'text-delta' | 'reasoning-delta') => parts.map((part) => (part.type === type ? part.delta : '')).join('');

test('[P3] an answer that is there all at once lets others have their turn, and is no part for each of its words', async () => {
	const words = 100_000;
	for (const kinds of [[say('word ')], [think('word ')], [say('word '), think('word ')]]) {
		let turns = 0;
		let reading = true;
		const turn = () => {
			turns++;
			if (reading) setTimeout(turn);
		};
		setTimeout(turn);
		const parts = await partsOf(streamOf(Array.from({ length: words }, (_, index) => ({ ...kinds[index % kinds.length]! }))));
		reading = false;
		expect(turns).toBeGreaterThan(2);
		expect(wordsOf(parts, 'text-delta').length + wordsOf(parts, 'reasoning-delta').length).toBe(words * 5);
		expect(parts.length).toBeLessThan(words / 20);
	}
});

test('[P3] a stop is heard in the middle of what is there all at once', async () => {
	const stop = new AbortController();
	let given = 0;
	const words = 500_000;
	const stream = new ReadableStream<Part>({ pull: (controller) => (given++ < words ? controller.enqueue(say('word ')) : controller.close()) });
	setTimeout(() => stop.abort());
	await partsOf(stream, stop.signal);
	expect(given).toBeLessThan(words);
});

test('[P3] words that come one by one are told one by one, as they come', async () => {
	const script = ['a', 'b', 'c'].flatMap((word) => ['break' as const, 'break' as const, say(word)]);
	expect(await partsOf(streamOf(script))).toEqual([say('a'), say('b'), say('c')]);
});

test('[R1] a call and a signature keep their place among words that are there all at once', async () => {
	const sign = (id: string): Part => ({ type: 'reasoning-end', id, providerMetadata: { maker: { sig: id } } });
	const script = [say('first'), think('a'), think('b'), sign('1'), think('c'), sign('2'), say('x'), call('look', '{}'), say('y'), say('z'), finish()];
	const whole = [say('first'), think('ab'), sign('1'), think('c'), sign('2'), say('x'), call('look', '{}'), say('yz'), finish()];
	expect(await partsOf(streamOf(script))).toEqual(whole);
});

test('[E11] whatever the pieces are that a stream comes in, no word of it is lost, and none comes after its end', async () => {
	const step = fc.oneof(
		fc.string({ minLength: 1 }).map(say),
		fc.string({ minLength: 1 }).map(think),
		fc.constant<Part>({ type: 'text-end', id: '0' }),
		fc.constant('break' as const)
	);
	const end = fc.constantFrom('finish', 'error part', 'broken');
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 30 }), end, async (steps, end) => {
			const all = steps.filter((step) => step !== 'break');
			const failure = new Error('broken');
			function* script() {
				yield* steps;
				if (end === 'finish') yield finish();
				else if (end === 'error part') yield { type: 'error', error: failure } as const;
				else throw failure;
			}
			const parts: Part[] = [];
			let thrown: unknown;
			try {
				for await (const part of readParts(streamOf(script()), new AbortController().signal)) parts.push(part);
			} catch (error) {
				thrown = error;
			}
			expect(thrown).toBe(end === 'finish' ? undefined : failure);
			if (end === 'finish') expect(parts.pop()).toEqual(finish());
			if (end !== 'broken') for (const type of ['text-delta', 'reasoning-delta'] as const) expect(wordsOf(parts, type)).toBe(wordsOf(all, type));
		}),
		{ numRuns: 50 }
	);
});
