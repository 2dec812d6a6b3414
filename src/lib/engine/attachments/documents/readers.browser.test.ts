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
