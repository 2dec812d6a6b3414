import { expect, test } from 'vitest';
import { attachmentLimits } from '../../../conversation/attachment-limits';
import { collectText } from './collect-text';
import type { DocumentPart } from './document';

const collected = (...parts: DocumentPart[]) => collectText({ parts });
const sizeOf = (text: string) => new TextEncoder().encode(text).length;

test('[P3] parts stand below their titles, with no more blank lines than show something', async () => {
	const { text, read } = await collected({ title: 'Sheet “A”', text: 'One \n\n\n\nTwo\r\n' }, { text: '\n' }, { text: 'Three' });
	expect(text).toBe('[Sheet “A”]\nOne\n\nTwo\n\n\n\nThree\n');
	expect(read).toBe(3);
});

test('[P3] a title stays on its line', async () => {
	expect((await collected({ title: 'A\n]\nB', text: 'x' })).text).toBe('[A ] B]\nx\n');
});

test('[P3] there is no text where there are titles only', async () => {
	expect(await collected({ title: 'Page 1', text: ' \n' }, { title: 'Page 2', text: '\0' })).toEqual({ text: '', read: 2, whole: true });
});

test('[P3] controls and halves of characters do not come', async () => {
	expect((await collected({ text: 'a\0b\u001bc\ud83dd\tE' })).text).toBe('abc\ufffdd\tE\n');
});

test.each(['x', 'é', '👩‍👩‍👧'])('[P3] of more %s than a text file may have the beginning comes, and says so', async (character) => {
	const { text, read, whole } = await collected({ title: 'Page 1', text: 'Short' }, { title: 'Page 2', text: character.repeat(1_000_000) }, { title: 'Page 3', text: 'Never' });
	expect([read, whole]).toEqual([2, false]);
	expect(text).toMatch(/\[The file continues\. Only its beginning is included\.\]\n$/);
	expect(text.isWellFormed()).toBe(true);
	expect(sizeOf(text)).toBeLessThanOrEqual(attachmentLimits.textBytes);
	expect(sizeOf(text)).toBeGreaterThan(attachmentLimits.textBytes - 200);
});

test('[P3] no more than 5,000 parts are read', async () => {
	function* pages() {
		for (let page = 1; ; page++) yield { title: `Page ${page}`, text: 'x' };
	}
	expect(await collectText({ parts: pages() })).toMatchObject({ read: 5000, whole: false });
});

test('[P8] a long run of blank space is read in no time', async () => {
	const blank = ' \t'.repeat(150_000);
	const began = performance.now();
	expect((await collected({ text: `a${blank}b${blank}\nc` })).text).toBe(`a${blank}b\nc\n`);
	expect(performance.now() - began).toBeLessThan(1000);
});
