import { expect, it } from 'vitest';
import { putContents, withoutContents } from './attachment-lines';

const lineOf = (row: unknown) => new TextEncoder().encode(`${JSON.stringify({ table: 'attachments', row })}\n`);
const parse = (bytes: Uint8Array) => (JSON.parse(new TextDecoder().decode(bytes)) as { row: unknown }).row;
const file = (text: string) => ({ $bytes: Buffer.from(text).toString('base64'), mediaType: 'text/plain' });

async function read(row: unknown): Promise<unknown> {
	const { rest, contents } = withoutContents(lineOf(row));
	const parsed = parse(rest);
	await putContents(parsed, contents);
	return parsed;
}

it('[P2] [P3] the files of an attachment are taken out of its line before it is parsed, and are in its row in the end', async () => {
	const long = 'é$"'.repeat(500_000);
	const source = { id: 'a', content: file(long), thumbnail: file(''), extract: { text: file('text'), parts: 1 } };
	expect(withoutContents(lineOf(source)).rest.length).toBeLessThan(350);
	const row = (await read(source)) as { id: string; content: Blob; thumbnail: Blob; extract: { text: Blob; parts: number } };
	expect(await Promise.all([row.content, row.thumbnail, row.extract.text].map((blob) => blob.text()))).toEqual([long, '', 'text']);
	expect([row.id, row.extract.parts, row.content.type]).toEqual(['a', 1, 'text/plain']);
});

it('[P8] what only looks like a file in a line stays as it is, and what is none is left for the schema to refuse', async () => {
	for (const row of [{ id: '"$bytes":"QUJD"' }, { id: '\\"$bytes":"' }, { id: '$'.repeat(1_000_000) }, { $bytesOf: 1 }]) {
		const { rest, contents } = withoutContents(lineOf(row));
		expect([parse(rest), contents.size]).toEqual([row, 0]);
	}
	for (const $bytes of [0, -1, '__proto__', null, {}, '!', 'é']) expect(await read({ content: { $bytes, mediaType: '' } })).toEqual({ content: undefined });
	expect(await read(7)).toBe(7);
});

it('[P8] a file of an attachment is decoded once, where its field has it: no other field names it, and none that Snug does not know is decoded', async () => {
	const row = { content: { $bytes: 0, mediaType: '' }, thumbnail: file('small'), extract: { text: { $bytes: '0', mediaType: '' }, more: { $bytes: 0 } }, more: { $bytes: 0 }, other: file('other') };
	const { content, thumbnail, extract, more, other } = (await read(row)) as Record<string, unknown>;
	expect([content, extract, more]).toEqual([undefined, { text: undefined, more: { $bytes: 0 } }, { $bytes: 0 }]);
	expect(thumbnail).toBeInstanceOf(Blob);
	expect(other).not.toBeInstanceOf(Blob);
});

it('[P8] the decoding of a file ends when it is cancelled', async () => {
	const { rest, contents } = withoutContents(lineOf({ content: file('long '.repeat(1_000_000)) }));
	const cancelled = new AbortController();
	const decoding = putContents(parse(rest), contents, cancelled.signal);
	cancelled.abort();
	await expect(decoding).rejects.toMatchObject({ name: 'AbortError' });
});
