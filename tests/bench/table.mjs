/** @typedef {import('./bench.mjs').Row} Row */

const head = ['what', 'figure', 'goal', 'met'];

/**
 * @param {Row[]} rows
 * @returns {string} a table with columns of equal width, without a line break at its end
 */
export function formatTable(rows) {
	const cells = rows.map(({ what, figure, goal = '', met }) => {
		return [what, figure, goal, met === undefined ? '' : met ? 'yes' : 'NO'];
	});
	const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)));
	const line = (/** @type {string[]} */ row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd();
	return [line(head), line(widths.map((width) => '─'.repeat(width))), ...cells.map(line)].join('\n');
}
