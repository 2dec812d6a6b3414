import type { Archive } from './archive';
import type { ArchiveFormat } from './archive-format';
import type { DocumentPart } from './document';
import { TextBuilder } from './text-builder';
import { readXml } from './xml';

const body = 'word/document.xml';
const notes = ['word/footnotes.xml', 'word/endnotes.xml'];

/** Word: paragraphs, one a line; the cells of a table's row on one line. What was deleted with changes tracked is left out. */
export const docx: ArchiveFormat = {
	mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	recognises: ({ names }) => names.has(body),
	open: (archive) => ({ count: 1, parts: partsOf(archive) })
};

function* partsOf(archive: Archive): Generator<DocumentPart> {
	const text = [body, ...notes].map((name) => textOf(archive.text(name))).filter((part) => part.trim() !== '');
	yield { text: text.join('\n\n') };
}

function textOf(xml: string): string {
	const text = new TextBuilder();
	// Older programs find there what stands in for a drawing, whose text is in it once more.
	let fallbacks = 0;
	readXml(xml, {
		open(name, _, parent) {
			if (name === 'Fallback') fallbacks++;
			else if (fallbacks > 0) return;
			else if (name === 'tab' && parent === 'r') text.add('\t');
			else if (name === 'br' || name === 'cr') text.break();
			else if (name === 'tc') text.openCell();
		},
		text: (data, inside) => inside === 't' && fallbacks === 0 && text.add(data),
		close(name) {
			if (name === 'Fallback') fallbacks--;
			else if (fallbacks > 0) return;
			else if (name === 'p') text.break();
			else if (name === 'tc') text.closeCell();
			else if (name === 'tr') text.line();
		}
	});
	return text.toString();
}
