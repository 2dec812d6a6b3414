import { expect, it } from 'vitest';
import { decodeAttachment, withoutContents } from './attachment-lines';

const lineOf = (row: unknown) => new TextEncoder().encode(`${JSON.stringify({ table: 'attachments', row })}\n`);
const parse = (bytes: Uint8Array) => (JSON.parse(new TextDecoder().decode(bytes)) as { row: unknown }).row;
const file = (text: string) => ({ $bytes: Buffer.from(text).toString('base64'), mediaType: 'text/plain' });

it('[P2] [P3] the files of an attachment are taken out of its line before it is parsed, and are in its row in the end', async () => {
	const long = 'é$"'.repeat(500_000);
	const { rest, contents } = withoutContents(lineOf({ id: 'a', content: file(long), thumbnail: file(''), extract: { text: file('text'), parts: 1 } }));
	expect(rest.length).toBeLessThan(250);
	const row = (await decodeAttachment(parse(rest), contents)) as { id: string; content: Blob; thumbnail: Blob; extract: { text: Blob; parts: number } };
	expect(await Promise.all([row.content, row.thumbnail, row.extract.text].map((blob) => blob.text()))).toEqual([long, '', 'text']);
	expect([row.id, row.extract.parts, row.content.type]).toEqual(['a', 1, 'text/plain']);
});

it('[P8] what only looks like a file in a line stays as it is, and what is none is left for the schema to refuse', async () => {
	for (const row of [{ id: '"$bytes":"QUJD"' }, { id: '\\"$bytes":"' }, { id: '$'.repeat(1_000_000) }, { $bytesOf: 1 }]) {
		const { rest, contents } = withoutContents(lineOf(row));
		expect([parse(rest), contents]).toEqual([row, []]);
	}
	for (const $bytes of [0, -1, '__proto__', null, {}, '!', 'é']) {
		const { rest, contents } = withoutContents(lineOf({ content: { $bytes, mediaType: '' } }));
		expect(await decodeAttachment(parse(rest), contents)).toEqual({ content: undefined });
	}
	expect(await decodeAttachment(7, [])).toBe(7);
});
