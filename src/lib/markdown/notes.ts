import type MarkdownIt from 'markdown-it';
import type { StateBlock, StateInline } from 'markdown-it';
import { lineAt, mayHoldBlocks, pushNested } from './nested';

const definition = /^\[\^([\p{L}\p{N}_-]{1,32})\]:/u;
const reference = /\[\^([\p{L}\p{N}_-]{1,32})\]/uy;

/**
 * Reads footnotes: `[^label]: text`, which goes on in lines that are indented, and `[^label]` in a text. They are definitions beside those of
 * links, so a block learns of a later one in the same way; until then its `[^label]` is text.
 */
export function keepNotes(parser: InstanceType<typeof MarkdownIt>): void {
	const { escapeHtml } = parser.utils;
	parser.block.ruler.before('fence', 'note', note, { alt: ['paragraph', 'reference', 'blockquote'] });
	parser.inline.ruler.before('link', 'note_reference', noteReference);
	parser.core.ruler.push('note_labels', ({ tokens, Token }) => {
		for (const [index, { type, info }] of tokens.entries()) {
			if (type !== 'note_open' || tokens[index + 1]!.type !== 'paragraph_open') continue;
			const label = new Token('note_label', '', 0);
			label.content = `[^${info}]: `;
			tokens[index + 2]!.children!.unshift(label);
		}
	});
	parser.renderer.rules.note_open = (tokens, index) => {
		const label = escapeHtml(tokens[index]!.info);
		return `<div class="note" role="note" aria-label="Footnote ${label}" data-note="${label}" tabindex="-1"${parser.renderer.renderAttrs(tokens[index]!)}><div>`;
	};
	parser.renderer.rules.note_close = () => '</div><button type="button" class="to-text" aria-label="Back to reference"></button></div>\n';
	parser.renderer.rules.note_label = (tokens, index) => `<span class="as-written">${escapeHtml(tokens[index]!.content)}</span>`;
	parser.renderer.rules.note_reference = (tokens, index) => {
		const { content, info } = tokens[index]!;
		const label = escapeHtml(info);
		return `<span class="to-note" role="button" tabindex="0" aria-label="Footnote ${label}" data-note="${label}">${escapeHtml(content)}</span>`;
	};
}

function keyOf(label: string, { md }: StateBlock | StateInline): string {
	return md.utils.normalizeReference(`^${label}`);
}

function note(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
	if (!mayHoldBlocks(state, startLine)) return false;
	const match = definition.exec(lineAt(state, startLine));
	if (!match) return false;
	if (silent) return true;

	let end = startLine + 1;
	for (let line = end; line < endLine; line++) {
		if (state.isEmpty(line)) continue;
		if (state.sCount[line]! < 2) break;
		end = line + 1;
	}
	const label = match[1]!;
	const references = (state.env.references ??= {});
	references[keyOf(label, state)] ??= { href: '', title: '' };
	const open = state.push('note_open', 'div', 1);
	open.info = label;
	open.map = [startLine, end];
	const first = lineAt(state, startLine).slice(match[0].length).trimStart();
	pushNested(state, `${first}\n${state.getLines(startLine + 1, end, 4, false)}`);
	state.push('note_close', 'div', -1);
	state.line = end;
	return true;
}

function noteReference(state: StateInline, silent: boolean): boolean {
	reference.lastIndex = state.pos;
	const match = state.src.startsWith('[^', state.pos) && state.linkLevel === 0 ? reference.exec(state.src) : null;
	if (!match || state.env.references?.[keyOf(match[1]!, state)] === undefined) return false;
	if (!silent) {
		const token = state.push('note_reference', '', 0);
		token.content = match[0];
		token.info = match[1]!;
	}
	state.pos += match[0].length;
	return true;
}
