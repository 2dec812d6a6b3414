import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { describeDocumentReader, type DocumentFixture } from '../../../../../tests/contract/document-reader';
import lockedPdf from '../../../../../tests/fixtures/documents/locked.pdf?url';
import docx from '../../../../../tests/fixtures/documents/report.docx?url';
import epub from '../../../../../tests/fixtures/documents/report.epub?url';
import odt from '../../../../../tests/fixtures/documents/report.odt?url';
import pdf from '../../../../../tests/fixtures/documents/report.pdf?url';
import pptx from '../../../../../tests/fixtures/documents/report.pptx?url';
import xlsx from '../../../../../tests/fixtures/documents/report.xlsx?url';
import scannedPdf from '../../../../../tests/fixtures/documents/scan.pdf?url';
import { readDocument } from './read-document';

const at = async (url: string) => (await fetch(url)).blob();

const fixtures: Record<string, DocumentFixture> = {
	PDF: {
		file: () => at(pdf),
		mediaType: 'application/pdf',
		unit: 'page',
		count: 2,
		text: '[Page 1]\nThe harbour opened in 1889.\nIts lighthouse is 31 metres high.\n\n[Page 2]\nCafé and naïve: größer.\n'
	},
	'Word documents': {
		file: () => at(docx),
		mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		count: 1,
		text: 'Harbour report\nThe harbour opened in 1889.\nCafé & naïve:\tgrößer\nnext line\nName\tHeight\tLit\nLighthouse\t31 m\nAfter the table.\n'
	},
	'Excel workbooks': {
		file: () => at(xlsx),
		mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
		unit: 'sheet',
		count: 2,
		text: '[Sheet Boats & crews]\nName\tBuilt\tLength\nMöwe\t1931-05-02\t12.5\nStorm\t\t\tfar right\n=SUM(C2:C3)\tTRUE\ntwo lines\n\n[Sheet Times]\n2024-02-29 13:45\nMöwe\n'
	},
	'PowerPoint presentations': {
		file: () => at(pptx),
		mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
		unit: 'slide',
		count: 2,
		text: '[Slide 1]\nHarbour\nOpened in 1889\nLighthouse: 31 m\n\nNotes: Speak slowly.\n\n[Slide 2]\nBoats\nName\tBuilt\nMöwe\t1931\n'
	},
	'OpenDocument texts': {
		file: () => at(odt),
		mediaType: 'application/vnd.oasis.opendocument.text',
		count: 1,
		text: 'Harbour report\nCafé & naïve:   größer\nnext line\nName\tHeight\nLighthouse\t31 m\nAfter the table.\n'
	},
	'EPUB books': {
		file: () => at(epub),
		mediaType: 'application/epub+zip',
		unit: 'chapter',
		count: 2,
		text: '[Chapter 1]\nOpening\nThe harbour opened\u00a0in 1889.\nCafé & naïve:\ngrößer\n\n[Chapter 2]\nBoats\nName\tBuilt\nMöwe\t1931\nThe end.\n'
	}
};

for (const [name, fixture] of Object.entries(fixtures)) describeDocumentReader(name, fixture);

it('[P3] a PDF with a password is refused as such; one without any text gives none', async () => {
	expect(await readDocument(await at(lockedPdf), 'pdf')).toEqual({ refused: 'encrypted' });
	expect(await readDocument(await at(scannedPdf), 'pdf')).toMatchObject({ text: '', count: 1 });
});

it('[P3] an archive that is no document is told from one', async () => {
	expect(await readDocument(new Blob([zipSync({ 'notes.txt': new Uint8Array(3) }) as BlobPart]), 'zip')).toEqual({ refused: 'unknown' });
});

const page = (html: string, address = 'https://orchard.example/fruit/') => readDocument(new Blob([html]), 'page', { address });

it('[R1] of a page of the web the article is read, with where its links lead', async () => {
	const paragraph = 'A pear is picked before it is ripe, and ripens in a cool room within two weeks, or within a few days beside apples. ';
	const html =
		`<!doctype html><title>Pears &amp; plums</title><style>p { color: red }</style><nav><a href="/shop">Shop</a> Sign in</nav><article><h1>Pears &amp; plums</h1>` +
		`<p>${paragraph.repeat(3)}</p><script>document.title = 'changed'</script><h2>Picking</h2><p>${paragraph.repeat(3)} See <a href="../plums?a=1#top">plums</a>, ` +
		`<a href="#here">here</a> or <a href="javascript:alert(1)">there</a>.</p><p>${paragraph.repeat(3)}</p></article><footer>Legal</footer>`;
	const read = await page(html);
	if ('refused' in read) throw new Error(read.refused);
	expect(read.text).toMatch(/^\[Pears & plums\]\n/);
	expect(read.text).toContain(`${paragraph.repeat(3).trim()}\nPicking\n`);
	expect(read.text).toContain('See plums (https://orchard.example/plums?a=1#top), here or there.');
	for (const other of ['Shop', 'Legal', 'color', 'changed', 'javascript']) expect(read.text).not.toContain(other);
});

it('[R1] a page that is no article gives all of its text; a hostile one ends by the deadline at the latest', async () => {
	expect(await page('<title>List</title><ul><li>Pears<li>Plums</ul>')).toMatchObject({ text: '[List]\nPears\nPlums\n' });
	expect(await page('<table>'.repeat(20_000))).toEqual({ refused: 'damaged' });
	expect(await page('')).toMatchObject({ text: '' });
	const hostile = ['<div>'.repeat(200_000), '<table><tr>'.repeat(50_000), `<p ${'a="b" '.repeat(200_000)}>`, '<a href="http://['.repeat(50_000), '\u0000\ufffe<svg><script>'.repeat(20_000), '&'.repeat(2_000_000)];
	for (const html of hostile) {
		const read = await readDocument(new Blob([html]), 'page', { address: 'https://a.example/', deadline: 5000 });
		if ('refused' in read) expect(['damaged', 'late', 'lost']).toContain(read.refused);
	}
});
