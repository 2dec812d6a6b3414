import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../shared/sha256';
import { maxTold, toTellable } from './large-result';

const give = (output: unknown) => toTellable({ output }, 'ledger', 7);

describe('[R1] toTellable', () => {
	it.each(['', 'x'.repeat(maxTold), { rows: [1, 2] }])('tells what is short as it is, and keeps nothing beside it', async (output) => {
		expect(await give(output)).toEqual({ output, files: [] });
	});

	it('tells the start and the end of what is long, and how to read the rest, which is kept to the letter', async () => {
		const whole = Array.from({ length: 400_000 }, (_, at) => `${at} Ä 🍐`).join(' ');
		const { output, files: [kept] } = await give(whole);
		const id = await sha256Of(whole);
		expect(kept!.part).toEqual({ type: 'file', attachmentId: id, mediaType: 'text/plain', name: 'ledger.txt' });
		expect(kept!.attachment).toMatchObject({ id, mediaType: 'text/plain', bytes: new TextEncoder().encode(whole).length, createdAt: 7 });
		expect(await kept!.attachment.content.text()).toBe(whole);
		const [start, note, end] = (output as string).split('\n\n') as [string, string, string];
		expect([whole.startsWith(start), whole.endsWith(end)]).toEqual([true, true]);
		expect(start.length + end.length).toBeGreaterThan(39_000);
		expect((output as string).length).toBeLessThan(41_000);
		expect(note).toContain(`the result has ${whole.length.toLocaleString('en')} characters. It is kept whole under the name “${id.slice(0, 12)}”.`);
		expect(note).toContain(`to read on from ${start.length},`);
		// Where a file of a chat came without what was kept, the tool is not offered.
		expect(note).toContain('where you have no such tool, the rest is not here');
		expect(output).toBe((output as string).toWellFormed());
	});

	it('keeps a value as its JSON', async () => {
		const value = { rows: Array.from({ length: 30_000 }, (_, row) => row) };
		expect(await (await give(value)).files[0]!.attachment.content.text()).toBe(JSON.stringify(value));
	});

	it('keeps what is longer than can be kept up to there, and says so', async () => {
		const { output, files: [kept] } = await give('🍐'.repeat(6_000_000));
		expect(kept!.attachment.bytes).toBe(20_000_000);
		expect(await kept!.attachment.content.text()).toBe('🍐'.repeat(5_000_000));
		expect(output).toContain('the result has 12,000,000 characters. Its first 10,000,000 are kept');
	});

	it('keeps no NUL, which no file of text has', async () => {
		const { files: [kept] } = await give(`\0${'x'.repeat(maxTold)}`);
		expect((await kept!.attachment.content.text()).slice(0, 2)).toBe('\ufffdx');
	});

	it('keeps images beside what is told, under their content', async () => {
		const image = new Blob(['\x89PNG'], { type: 'image/png' });
		const { output, files } = await toTellable({ output: 'x'.repeat(maxTold + 1), images: [image] }, 'ledger', 7);
		expect(files.map(({ part }) => part.name)).toEqual(['ledger.txt', 'ledger 1.png']);
		expect(output).toContain(files[0]!.part.attachmentId.slice(0, 12));
		expect(files[1]!.attachment).toMatchObject({ id: await sha256Of('\x89PNG'), mediaType: 'image/png', bytes: 5 });
	});
});
