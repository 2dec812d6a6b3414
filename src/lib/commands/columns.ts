import { shorten } from '../shared/shorten';

/** Rows of cells as lines of text, each column as wide as its widest cell. */
export function columns(rows: string[][]): string {
	const widths = rows.reduce<number[]>((widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 0, cell.length)), []);
	return rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!))).join('  ')).join('\n');
}

/** A number and the thing that it counts, `1 session` or `2 sessions`. */
export function count(number: number, thing: string): string {
	return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** The beginning of a text that must stay on one line. */
export function cut(text: string, length: number): string {
	return shorten(text.replace(/\s+/g, ' ').trim(), length);
}
