import type MarkdownIt from 'markdown-it';
import type { StateBlock, StateInline } from 'markdown-it';

/** A formula ends within so many characters of a paragraph, or lines, or it is none: looking for its end stays cheap. */
const maxInline = 1_000;
const maxLines = 100;

const openers = { '$$': '$$', '\\[': '\\]', '\\(': '\\)' } as const;

/**
 * Keeps formulas as they were written, their marks included: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, the second and last also over several lines.
 * Each is a `span.math` of the page, which `Formulas` typesets once it is drawn.
 */
export function keepMath(parser: InstanceType<typeof MarkdownIt>): void {
	parser.inline.ruler.before('escape', 'math', inlineMath);
	parser.block.ruler.before('fence', 'math_block', mathBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
}

/** Tells whether a line at top level begins a formula that ends on a later line, if one before the next blank line has its end. */
export function mayBeginMath(line: string): boolean {
	const start = /^ {0,3}(\$\$|\\\[)/.exec(line);
	return start !== null && !line.slice(start[0].length).includes(openers[start[1] as '$$' | '\\[']);
}

function inlineMath(state: StateInline, silent: boolean): boolean {
	const { src, pos, posMax } = state;
	if (src[pos] !== '$' && src[pos] !== '\\') return false;
	const part = src.slice(pos, Math.min(posMax, pos + maxInline));
	const opener = part.slice(0, 2);
	const length = opener in openers ? closedLength(part, openers[opener as keyof typeof openers]) : dollarLength(part, src[pos - 1]);
	if (length === 0) return false;
	if (!silent) {
		state.push('math_open', 'span', 1).attrs = [['class', 'math']];
		part.slice(0, length)
			.split('\n')
			.forEach((line, index) => {
				if (index > 0) state.push('softbreak', 'br', 0);
				const token = state.push('text_special', '', 0);
				token.content = token.markup = line;
			});
		state.push('math_close', 'span', -1);
	}
	state.pos = pos + length;
	return true;
}

function closedLength(part: string, closer: string): number {
	const end = part.indexOf(closer, 2);
	return end > 2 ? end + 2 : 0;
}

/** The length of the `$…$` that `part` begins with; 0 where the dollar is one of money. */
function dollarLength(part: string, before = ' '): number {
	if (/[\p{L}\p{N}$]/u.test(before)) return 0;
	const match = /^\$(?![\s$])((?:[^$\n`\\]|\\[^\n])*?)(?<!\s)\$(?![\p{L}\p{N}$])/u.exec(part);
	if (!match) return 0;
	const isPrice = /^\d[\d.,]*(?:[\s*)\]/,;:!?"'–—-]|$)/.test(match[1]!) && !/[\\^_={]/.test(match[1]!);
	return isPrice ? 0 : match[0].length;
}

function mathBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
	// Below zero for a line that goes on with a quoted paragraph: what is around it has seen there that it begins no formula.
	if (state.sCount[startLine]! < 0 || state.sCount[startLine]! - state.blkIndent >= 4) return false;
	const lineAt = (line: number) => state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
	const first = lineAt(startLine).trimEnd();
	if (!first.startsWith('$$') && !first.startsWith('\\[')) return false;
	const closer = openers[first.slice(0, 2) as '$$' | '\\['];

	const ownEnd = first.indexOf(closer, 2);
	let line = startLine;
	if (ownEnd >= 0) {
		if (ownEnd === 2 || ownEnd + 2 < first.length) return false;
	} else {
		const lasts = (state.env.lastMathMarks ??= {}) as Record<string, number>;
		if ((lasts[closer] ??= state.src.lastIndexOf(closer)) < state.eMarks[startLine]!) return false;
		do {
			line++;
			const isOutside = line >= endLine || line - startLine > maxLines || state.isEmpty(line) || state.sCount[line]! < state.blkIndent;
			if (isOutside) return false;
		} while (!lineAt(line).includes(closer));
	}
	if (silent) return true;
	state.line = line + 1;
	const token = state.push('math_block', '', 0);
	token.content = state.getLines(startLine, line + 1, state.sCount[startLine]!, false);
	token.markup = closer;
	token.map = [startLine, line + 1];
	return true;
}
