import type { Token } from 'markdown-it';
import { startOf } from '../shared/start-of';
import { unseenCharacters } from '../shared/unseen-characters';
import { maxBlock } from './blocks';
import { newNames } from './escape-code';
import { targetOf } from './links';
import { parser } from './render';

const unseen = new RegExp(`[${unseenCharacters}]`, 'gu');

/** Signs by which engines take a text for markup or commands (SSML, entities in it, Apple's brackets, control characters). A line ends with one. */
const commanding = /[<>]|\[{2,}|\]{2,}|&(?=#?\w+;)|(?!\n)\p{Cc}/gu;

/** Parts that are named in the place of being spoken. */
const named: Record<string, string> = { fence: 'Code.', code_block: 'Code.', math_block: 'Formula.' };

/**
 * Returns a Markdown text as it is spoken: a line for each of its blocks, without signs, those by which an engine is commanded
 * among them. Code and formulas are named, links are their text, and bare addresses their hosts. `isCut` tells that it is longer than what is spoken of it.
 */
export function spokenText(markdown: string): { text: string; isCut: boolean } {
	const start = startOf(markdown, maxBlock);
	const tokens = parser.parse(start, { references: {}, outline: [], names: newNames(), isTooMuch: false });
	const lines = tokens.flatMap((token) => named[token.type] ?? (token.children ? wordsOf(token.children) : []));
	return { text: lines.join('\n').replace(unseen, '').replace(commanding, ' '), isCut: start.length < markdown.length };
}

function wordsOf(tokens: Token[]): string {
	let words = '';
	let isFormula = false;
	/** The address of a link whose text is that address. */
	let bare: string | undefined;
	for (const { type, content, markup, ...token } of tokens) {
		if (type === 'math_open') words += ' formula ';
		if (type === 'math_open' || type === 'math_close') isFormula = type === 'math_open';
		else if (type === 'link_open') bare = markup === 'linkify' || markup === 'autolink' ? String(token.attrs?.find(([name]) => name === 'href')?.[1] ?? '') : undefined;
		else if (type === 'link_close') bare = undefined;
		else if (isFormula) continue;
		else if (type === 'softbreak' || type === 'hardbreak') words += '\n';
		else if (type === 'text' || type === 'text_special' || type === 'code_inline' || type === 'image') words += bare === undefined ? content : targetOf(bare);
	}
	return words;
}
