import { expect, it } from 'vitest';
import { documentName } from './save-file';

it.each([
	['report.pdf', 'application/pdf', 'report.pdf'],
	['Report.PDF', 'application/pdf', 'Report.PDF'],
	['setup.bat', 'application/pdf', 'setup.bat.pdf'],
	['notes.txt          .exe', 'application/epub+zip', 'notes.txt          .exe.epub'],
	['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'letter.docx'],
	['letter.docx', 'application/vnd.oasis.opendocument.text', 'letter.docx.odt'],
	['page.html', 'application/x-unknown', 'page.html.txt']
])('[P8] %j of type %s is saved as %j', (name, mediaType, saved) => expect(documentName(name, mediaType)).toBe(saved));
