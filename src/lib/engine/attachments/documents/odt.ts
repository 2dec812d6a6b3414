import type { ArchiveFormat } from './archive-format';
import { Refused } from './document';
import { TextBuilder } from './text-builder';
import { readXml } from './xml';

const mediaType = 'application/vnd.oasis.opendocument.text';

/** The most blanks that one mark stands for. */
const maxBlanks = 100;

/** OpenDocument text: headings and paragraphs, one a line; the cells of a table's row on one line. */
export const odt: ArchiveFormat = {
	mediaType,
	recognises: (archive) => archive.names.has('content.xml') && archive.text('mimetype').trim() === mediaType,
	open(archive) {
		if (/<(?:\w+:)?encryption-data\b/.test(archive.text('META-INF/manifest.xml'))) throw new Refused('encrypted');
		return { count: 1, parts: [{ text: textOf(archive.text('content.xml')) }] };
	}
};

function textOf(xml: string): string {
	const text = new TextBuilder();
	let [deleted, paragraphs] = [0, 0];
	readXml(xml, {
		open(name, { 'text:c': count = '1' }) {
			if (name === 'tracked-changes') deleted++;
			else if (deleted > 0) return;
			else if (name === 'p' || name === 'h') paragraphs++;
			else if (name === 's') text.add(' '.repeat(Math.min(maxBlanks, Number(count) || 1)));
			else if (name === 'tab') text.add('\t');
			else if (name === 'line-break') text.break();
			else if (name === 'table-cell') text.openCell();
		},
		// Between paragraphs there is nothing but the layout of the file.
		text: (data) => paragraphs > 0 && text.flow(data),
		close(name) {
			if (name === 'tracked-changes') deleted--;
			else if (deleted > 0) return;
			else if (name === 'p' || name === 'h') {
				paragraphs--;
				text.break();
			} else if (name === 'table-cell') text.closeCell();
			else if (name === 'table-row') text.line();
		}
	});
	return text.toString();
}
