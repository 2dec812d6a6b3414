import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTool, type ReadResultOutput } from './read-result';

const context = { sessionId: 's', signal: new AbortController().signal };

/** Calls the tool over one result. */
async function call(text: string, input: object): Promise<ReadResultOutput> {
	const tool = createTool({ readResult: (name) => Promise.resolve(name === 'kept' ? new Blob([text]) : undefined) });
	const { output, isError } = await tool.run({ name: 'kept', ...input }, context);
	if (isError) throw new Error(output as string);
	return output as ReadResultOutput;
}

/** Longer than what is decoded at a time, of characters of one to four bytes. */
const long = Array.from({ length: 60_000 }, (_, at) => `${at} pear Ä 梨 🍐\n`).join('');

describe('[R1] read_result', () => {
	it('gives stretches that come to all of the text', async () => {
		let [whole, from] = ['', 0];
		for (;;) {
			const output = await call(long, { from, length: 40_000 });
			expect(output).toMatchObject({ characters_in_result: long.length, from });
			whole += output.text!;
			if (output.next_from === undefined) break;
			from = output.next_from;
		}
		expect(whole.length).toBe(long.length);
		// Where a pair was cut, its halves stand as what means nothing.
		expect(whole.replace(/\ufffd\ufffd/g, '🍐')).toBe(long);
	});

	it('gives what stands where it is asked for, whatever is decoded at a time', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(long.length - 1), fc.integer({ min: 1, max: 40_000 }), async (from, length) => {
				const { text, next_from } = await call(long, { from, length });
				expect(text).toBe(long.slice(from, from + length).toWellFormed());
				expect(next_from).toBe(from + length < long.length ? from + length : undefined);
			}),
			{ numRuns: 20 }
		);
	});

	it('finds words in any case, with what stands around them, and says where to go on', async () => {
		const places = [...long.matchAll(/pear/g)].map(({ index }) => index);
		const all: number[] = [];
		for (let from: number | undefined = 0; from !== undefined && all.length < 100; ) {
			const output: ReadResultOutput = await call(long, { find: 'PEAR', from });
			for (const { at, text } of output.found!) expect([long.slice(at, at + 4), text.includes('pear')]).toEqual(['pear', true]);
			all.push(...output.found!.map(({ at }) => at));
			from = output.next_from;
		}
		expect(all).toEqual(places.slice(0, 100));
		const last = `${'x'.repeat(3_000_000)}the end.`;
		expect(await call(last, { find: 'the end.' })).toEqual({ characters_in_result: last.length, found: [{ at: 3_000_000, text: `${'x'.repeat(100)}the end.` }] });
		expect(await call(last, { find: 'plum' })).toEqual({ characters_in_result: last.length, found: [] });
	});

	it('finds each place once, wherever a text is cut to be decoded', async () => {
		const cut = 2 ** 18;
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(fc.integer({ min: cut - 400, max: cut + 400 }), { maxLength: 15 }), async (starts) => {
				const text = Array.from({ length: 2 * cut }, () => '.');
				for (const at of starts) text[at] = '(';
				const { found } = await call(text.join(''), { find: '(' });
				expect(found!.map(({ at }) => at)).toEqual(starts.sort((a, b) => a - b));
			})
		);
	});

	it('says where there is nothing to be read', async () => {
		await expect(call('pear', { name: 'other' })).rejects.toThrow('No result of this chat is kept under the name “other”.');
		await expect(call('pear', { from: 4 })).rejects.toThrow('The result has 4 characters.');
		await expect(call('pear', { length: 40_001 })).rejects.toThrow('“length”');
	});
});
