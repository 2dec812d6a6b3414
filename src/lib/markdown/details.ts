import type MarkdownIt from 'markdown-it';
import type { StateBlock } from 'markdown-it';
import { lineAt, mayHoldBlocks, pushNested } from './nested';

const opening = /^<details(\s+open(?:=["']?["']?)?)?\s*>/i;

/** Tags that models put around the words of a summary, which would stand there as text. */
const looks = /<\/?(?:b|strong|i|em|code|u|span|h[1-6]|p)>/gi;

/** The most of a text that is looked at for the end of its summary, in UTF-16 units. */
const maxSummary = 500;

/** Reads `<details>` with a `<summary>`, the one form of HTML that is not shown as text. Without its end it goes on to that of the text, as a fence does. */
export function keepDetails(parser: InstanceType<typeof MarkdownIt>): void {
	parser.block.ruler.before('fence', 'details', details, { alt: ['paragraph', 'reference', 'blockquote'] });
}

function details(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
	if (!mayHoldBlocks(state, startLine)) return false;
	const start = opening.exec(lineAt(state, startLine));
	if (!start) return false;
	if (silent) return true;

	const { end, isClosed } = findEnd(state, startLine, endLine);
	const source = state.getLines(startLine, end, state.sCount[startLine]!, false).slice(start[0].length);
	const { summary, content } = splitSummary(isClosed ? source.replace(/<\/details>\s*$/i, '') : source);

	const open = state.push('details_open', 'details', 1);
	open.map = [startLine, end];
	if (isClosed) open.info = 'closed';
	if (start[1] !== undefined) open.attrs = [['open', '']];
	state.push('summary_open', 'summary', 1);
	const words = state.push('inline', '', 0);
	words.content = summary.replace(looks, '').trim() || 'Details';
	words.children = [];
	state.push('summary_close', 'summary', -1);
	pushNested(state, content);
	state.push('details_close', 'details', -1);
	state.line = end;
	return true;
}

/** Finds the line after the one that ends with the closing tag, which none within a fence does. */
function findEnd(state: StateBlock, startLine: number, endLine: number): { end: number; isClosed: boolean } {
	let depth = 0;
	let fence = '';
	for (let line = startLine; line < endLine; line++) {
		const text = lineAt(state, line).trimEnd();
		const [mark = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
		if (fence === '') fence = mark;
		else if (text === mark && mark.startsWith(fence)) fence = '';
		if (fence !== '' || mark !== '') continue;
		if (opening.test(text)) depth++;
		if (/<\/details>$/i.test(text) && --depth === 0) return { end: line + 1, isClosed: true };
	}
	return { end: endLine, isClosed: false };
}

function splitSummary(source: string): { summary: string; content: string } {
	const start = /^\s*<summary>/i.exec(source);
	if (!start) return { summary: '', content: source };
	const rest = source.slice(start[0].length);
	const end = /<\/summary>/i.exec(rest.slice(0, maxSummary));
	if (end) return { summary: rest.slice(0, end.index).replaceAll('\n', ' '), content: rest.slice(end.index + end[0].length) };
	// Its end may be yet to come.
	const [line = ''] = rest.split('\n', 1);
	return { summary: line, content: rest.slice(line.length) };
}
