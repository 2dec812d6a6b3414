import type { Archive } from './archive';
import type { ArchiveFormat } from './archive-format';
import type { DocumentPart } from './document';
import { relationIdOf, relationsOf } from './relations';
import { TextBuilder } from './text-builder';
import { readXml } from './xml';

const workbook = 'xl/workbook.xml';

/** Numbers of the formats of dates and times that no workbook spells out. */
const dateFormats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

const dayMs = 86_400_000;

interface Sheet {
	name: string;
	path: string;
}

/** Excel: each sheet's rows, one a line, with tabs between cells. A formula is the value that was last calculated; without one, itself. */
export const xlsx: ArchiveFormat = {
	mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	recognises: ({ names }) => names.has(workbook),
	open(archive) {
		const { sheets, epoch } = sheetsOf(archive);
		return { unit: 'sheet', count: sheets.length, parts: partsOf(archive, sheets, epoch) };
	}
};

/** Returns the sheets in their order, and the day that dates are counted from. */
function sheetsOf(archive: Archive): { sheets: Sheet[]; epoch: number } {
	const paths = new Map(relationsOf(archive, workbook).map(({ id, path }) => [id, path]));
	const sheets: Sheet[] = [];
	let epoch = Date.UTC(1899, 11, 30);
	readXml(archive.text(workbook), {
		open(name, attributes) {
			const { name: title = '', date1904 } = attributes;
			if (name === 'workbookPr' && (date1904 === '1' || date1904 === 'true')) epoch = Date.UTC(1904, 0, 1);
			const path = name === 'sheet' ? paths.get(relationIdOf(attributes) ?? '') : undefined;
			if (path !== undefined) sheets.push({ name: title, path });
		}
	});
	return { sheets, epoch };
}

function* partsOf(archive: Archive, sheets: Sheet[], epoch: number): Generator<DocumentPart> {
	const strings = stringsOf(archive);
	const dates = dateStyles(archive);
	const valueOf = (type: string, style: string, value: string) => {
		if (type === 's') return strings[Number(value)] ?? '';
		if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
		return (type === 'n' && dates.has(Number(style)) && dateOf(Number(value), epoch)) || value;
	};
	for (const { name, path } of sheets) yield { title: `Sheet ${name}`, text: textOf(archive.text(path), valueOf) };
}

function textOf(xml: string, valueOf: (type: string, style: string, value: string) => string): string {
	const text = new TextBuilder();
	let [column, before, type, style, value, formula] = [0, 1, 'n', '0', '', ''];
	let unread = 0;
	readXml(xml, {
		open(name, { r = '', t = 'n', s = '0' }) {
			if (name === 'row') [column, before] = [0, 1];
			else if (name === 'c') [column, type, style, value, formula] = [columnOf(r) || column + 1, t, s, '', ''];
			else if (name === 'rPh') unread++;
		},
		text(data, inside) {
			if (inside === 'f') formula += data;
			else if (unread === 0 && (inside === 'v' || (inside === 't' && type === 'inlineStr'))) value += data;
		},
		close(name) {
			if (name === 'rPh') unread--;
			if (name === 'c') {
				const cell = value === '' && formula !== '' ? `=${formula}` : valueOf(type, style, value);
				if (cell === '') return;
				text.skip(column - before);
				text.add(cell.replace(/\s+/g, ' '));
				before = column;
			} else if (name === 'row') text.line();
		}
	});
	return text.toString();
}

/** Returns the number of a column by a cell's address, such as 28 for `AB7`; 0 where there is none. */
function columnOf(address: string): number {
	let column = 0;
	for (const letter of /^[A-Z]{0,3}/.exec(address)![0]) column = column * 26 + letter.charCodeAt(0) - 64;
	return column;
}

/** The texts that cells refer to by number. */
function stringsOf(archive: Archive): string[] {
	const strings: string[] = [];
	// How a text is pronounced stands beside it.
	let unread = 0;
	readXml(archive.text('xl/sharedStrings.xml'), {
		open(name) {
			if (name === 'si') strings.push('');
			else if (name === 'rPh') unread++;
		},
		text: (data, inside) => void (inside === 't' && unread === 0 && strings.length > 0 && (strings[strings.length - 1] += data)),
		close: (name) => name === 'rPh' && unread--
	});
	return strings;
}

/** The numbers of the cell styles that show a number as a date. */
function dateStyles(archive: Archive): Set<number> {
	const formats = new Set(dateFormats);
	const styles = new Set<number>();
	let count = 0;
	readXml(archive.text('xl/styles.xml'), {
		open(name, { numFmtId = '0', formatCode = '' }, parent) {
			// Texts in quotes, and colours in brackets, have letters too.
			if (name === 'numFmt' && /[dmyh]/i.test(formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))) formats.add(Number(numFmtId));
			if (name === 'xf' && parent === 'cellXfs' && formats.has(Number(numFmtId))) styles.add(count);
			if (name === 'xf' && parent === 'cellXfs') count++;
		}
	});
	return styles;
}

/** Returns a date as it is written everywhere, with its time if it has one; undefined for a number that is none. */
function dateOf(days: number, epoch: number): string | undefined {
	const at = new Date(Math.round(epoch / 1000 + (days * dayMs) / 1000) * 1000);
	if (Number.isNaN(at.getTime()) || days < 0) return undefined;
	const [day, time] = at.toISOString().split('T') as [string, string];
	const clock = time.slice(0, 5);
	if (days < 1) return clock;
	return days % 1 === 0 ? day : `${day} ${clock}`;
}
