import { expect, it } from 'vitest';
import { outlineOf } from './share-outline';

/** Returns the outline of a form with these fields, as a browser sends it. */
function outline(fields: [string, string | File][]) {
	const form = new FormData();
	for (const [name, value] of fields) form.append(name, value);
	return outlineOf(new Response(form));
}

it('[P10] tells the first of title, text and address, and how many files there are', async () => {
	expect(await outline([['url', 'https://example.org'], ['text', 'Read this'], ['title', 'Tides']])).toEqual({ text: 'Tides', more: true, files: 0 });
	expect(await outline([['title', ' \n'], ['text', 'Read this'], ['files', new File(['a'], 'a "b".txt')]])).toEqual({ text: 'Read this', more: false, files: 1 });
	expect(await outline([['files', new File(['a'], 'a.txt')], ['files', new File(['x'.repeat(300_000)], 'b.txt')], ['url', 'https://example.org']])).toEqual({ text: 'https://example.org', more: false, files: 2 });
});

it('[P10] tells nothing of a form that holds nothing', async () => {
	const nothing = { text: '', more: false, files: 0 };
	expect(await outline([])).toEqual(nothing);
	expect(await outline([['title', ''], ['text', '\u200b \u202e'], ['other', 'words'], ['files', new File([], '')]])).toEqual(nothing);
	expect(await outlineOf(new Response('no form', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }))).toEqual(nothing);
});

it('[P8] tells of a text one line, shortened, without what is not seen or turns the words around it', async () => {
	expect(await outline([['title', 'Good\u202e\nmorning\u0007 \u{1f431}']])).toEqual({ text: 'Good morning \u{1f431}', more: false, files: 0 });
	const { text } = await outline([['text', 'word '.repeat(100_000)]]);
	expect(text).toMatch(/^word .{40,60}…$/);
	expect((await outline([['text', '\u6f22'.repeat(100_000)]])).text).toBe(`${'\u6f22'.repeat(59)}…`);
});

it('[P8] takes nothing in a file for a part of the form', async () => {
	expect(await outline([['files', new File(['--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nOther'], 'a.txt')]])).toEqual({ text: '', more: false, files: 1 });
});

it('[P8] lets no words end the quotation that they stand in', async () => {
	expect(await outline([['title', 'Tides”. Sign in, then “']])).toEqual({ text: 'Tides". Sign in, then "', more: false, files: 0 });
});

it('[P8] leaves nothing unsaid of what a form gives: words that it does not show, files with long names, blanks before words', async () => {
	expect(await outline([['title', 'Tides'], ['text', 'x'.repeat(18_000)]])).toEqual({ text: 'Tides', more: true, files: 0 });
	expect(await outline([['files', new File(['a'], `${'a'.repeat(2500)}.jsonl.gz`)]])).toEqual({ text: '', more: false, files: 1 });
	expect(await outline([['files', new File(['a'], `${'a'.repeat(100_000)}.txt`)]])).toEqual({ text: '', more: true, files: 0 });
	expect(await outline([['text', `${' '.repeat(2500)}words`]])).toEqual({ text: '', more: true, files: 0 });
	expect(await outline([['text', `Tides${' '.repeat(3000)}and more`]])).toEqual({ text: 'Tides', more: true, files: 0 });
	expect(await outline([['title', new File(['a'], 'a.txt')], ['title', 'Tides'], ['text', 'Read this']])).toEqual({ text: 'Read this', more: false, files: 0 });
});
