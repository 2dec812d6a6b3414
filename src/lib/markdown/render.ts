import MarkdownIt, { type Env, type StateCore, type Token } from 'markdown-it';
import { cutAt, longWordBreaks } from '../shared/long-words';
import { withoutPiledMarks } from '../shared/piled-marks';
import { shortenMiddle } from '../shared/shorten';
import { cutAtDirectionChanges, rightToLeftCharacters } from '../shared/direction-changes';
import { escapeCode, newNames, type Names } from './escape-code';
import { keepDetails } from './details';
import { dialledIn, isCall, namesHost, openEnds, otherTarget, targetOf } from './links';
import { keepMath } from './math';
import { keepNotes } from './notes';
import { keepTasks } from './tasks';

/** Link reference definitions (`[label]: url`), by normalised label. */
export type References = NonNullable<Env['references']>;

/** A text of more tokens than this, such as a list of 1,500 items, is shown as it was written, so that it is laid out in good time. */
const maxTokens = 10_000;

/** Tokens that a figure counts for: laying it out takes so much longer. */
const figureTokens = 20;

/** The parser drops what is nested deeper than this; a text that comes so deep is shown as it was written. */
const maxLevel = 98;

/**
 * The most characters of addresses and titles that a text may have: one definition may stand for thousands of links. A text with more is shown as
 * it was written.
 */
const maxAddresses = (text: string) => 5000 + 20 * text.length;

/** The levels, as written, of the heading that is in force and of those that it stands under, outermost first. */
export type Outline = number[];

/**
 * CommonMark with tables and strikethrough. Raw HTML stays text. A single line break breaks the line, since models and
 * people write addresses and verse that way in a chat. Only whole URLs become links by themselves: with guessing on,
 * `readme.md`, `main.rs` and `build.sh` would all be links.
 */
export const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// `//example.com` is no whole URL; looking for it reads on to the end of the text from every `://`.
parser.linkify.add('//', null);
keepMath(parser);
keepDetails(parser);
keepNotes(parser);
keepTasks(parser);

parser.core.ruler.push('page', (state) => {
	// Left as it is: it will not be drawn so.
	if ((state.env.isTooMuch = isTooMuch(state))) return;
	state.env.targets = new Map<string, string | undefined>();
	const mayRunLeft = rightToLeft.test(state.src);
	state.env.mayRunLeft = mayRunLeft;
	for (const token of state.tokens) if (token.children) token.children = safeLinks(token.children, state);
	// What stands beside links now is laid out with the rest.
	if ((state.env.isTooMuch = state.tokens.some((token) => isSlow(drawnText(token))))) return;
	const outline = state.env.outline as Outline;
	for (const token of state.tokens) {
		// What is in a block runs as the block does.
		if (mayRunLeft && token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
		if (token.type === 'heading_open') token.tag = headingBelow(outline, Number(token.tag.slice(1)));
		else if (token.type === 'heading_close') token.tag = headingTag(outline);
		else if (token.type === 'th_open' || token.type === 'td_open') alignByClass(token);
		else if (token.children) breakLongWords(token.children);
	}
});

const { escapeHtml } = parser.utils;

parser.renderer.rules.fence = (tokens, index, _, env) => figure(tokens[index]!.content, languageOf(tokens[index]!.info), env!.names as Names);
parser.renderer.rules.code_block = (tokens, index, _, env) => figure(tokens[index]!.content, '', env!.names as Names);
parser.renderer.rules.text = (tokens, index) => withBreaks(tokens[index]!.content, breaksOf(tokens[index]!));
parser.renderer.rules.math_block = (tokens, index) => {
	const { content, markup } = tokens[index]!;
	const end = content.indexOf(markup, 2) + 2;
	return `<p class="plain"><span class="math">${withBreaks(content.slice(0, end))}</span>${withBreaks(content.slice(end))}</p>\n`;
};
parser.renderer.rules.code_inline = (tokens, index, _, env) => {
	const { content } = tokens[index]!;
	const ends = [...breaksOf(tokens[index]!), content.length];
	const pieces = ends.map((end, at) => escapeCode(content.slice(0, end), env!.names as Names, ends[at - 1]));
	return `<code>${pieces.join('<wbr>')}</code>`;
};
// A wide table scrolls by itself.
parser.renderer.rules.table_open = (tokens, index) => `<div class="table"${parser.renderer.renderAttrs(tokens[index]!)}><table>\n`;
parser.renderer.rules.table_close = () => '</table></div>\n';

/**
 * HTML of a Markdown text. `references` holds definitions made elsewhere; those made in `text` are added to it, the
 * first of a label winning. `outline` is that of what comes before, and `names` counts what it left; both are brought up to date. The result is not yet sanitized:
 * nothing may show it before `sanitize` has seen it.
 */
export function render(text: string, references: References = {}, outline: Outline = [], names = newNames()): string {
	const env = { references, outline, names, isTooMuch: false };
	const tokens = parser.parse(withoutPiledMarks(text), env);
	return env.isTooMuch ? renderPlain(text) : parser.renderer.render(tokens, parser.options, env);
}

function isTooMuch({ tokens, src }: StateCore): boolean {
	const inline = tokens.flatMap(({ children }) => children ?? []);
	const lengthOf = (token: Token) => ['href', 'src', 'title'].reduce((sum, name) => sum + String(token.attrGet(name) ?? '').length, 0);
	const addresses = inline.reduce((sum, token) => sum + lengthOf(token), 0);
	const figures = tokens.filter(({ type }) => type === 'fence' || type === 'code_block').length;
	if (tokens.length + inline.length + figures * figureTokens > maxTokens || addresses > maxAddresses(src)) return true;
	return tokens.some((token) => token.level > maxLevel);
}

/** A text as it is drawn: what its source spells otherwise is decoded, and what a style of its own parts is laid out together. */
function drawnText({ type, content, children }: Token): string {
	if (type === 'softbreak' || type === 'hardbreak') return '\n';
	return children ? children.map(drawnText).join('') : type === 'fence' || type === 'code_block' ? '' : content;
}

/** Tells whether laying out a text would take long. */
function isSlow(text: string): boolean {
	return cutAtDirectionChanges(text).length > 1 || withoutPiledMarks(text) !== text;
}

/** HTML of a text that is shown as it is, line breaks and all. */
export function renderPlain(text: string): string {
	const pieces = cutAtDirectionChanges(withoutPiledMarks(text)).map((piece) => withBreaks(piece));
	return `<p class="plain"${rightToLeft.test(text) ? ' dir="auto"' : ''}>${inBlocks(pieces)}</p>\n`;
}

/** HTML of a text, with places to break at the offsets `at`; without them, within its long words. */
function withBreaks(text: string, at?: number[]): string {
	return cutAt(text, at).map(escapeHtml).join('<wbr>');
}

/** The pieces of a text, all but the first as a block of its own. */
function inBlocks([first, ...others]: string[]): string {
	return first + others.map((piece) => `<span class="piece">${piece}</span>`).join('');
}

/** The language that a fence's info string names, or ''. ` ```{.python} ` and ` ```ts title="x" ` are common spellings. */
export function languageOf(info: string): string {
	return /^\s*\{?\.?([\w+#-][\w+#.-]{0,31})(?![\w+#.-])/.exec(info)?.[1] ?? '';
}

/** Languages whose code can be looked at as what it draws, and the most of it, in UTF-16 units. */
const previewed = ['html', 'svg', 'mermaid'];
const maxPreviewed = 200_000;

/** HTML of what stands above a code; `code` is absent where more of it is to come. */
export function codeHead(language: string, code?: string): string {
	const isPreviewed = code !== undefined && code.length <= maxPreviewed && previewed.includes(language.toLowerCase());
	return (
		`<figcaption><span>${escapeHtml(language || 'text')}</span>` +
		(isPreviewed ? '<button type="button" class="preview" aria-pressed="false">Preview</button>' : '') +
		'<button type="button" class="wrap" aria-pressed="false">Wrap lines</button><button type="button" class="download">Download</button>' +
		'<button type="button" class="copy" aria-live="polite">Copy</button></figcaption>'
	);
}

function figure(code: string, language: string, names: Names): string {
	return (
		`<figure class="code" data-lang="${escapeHtml(language)}">${codeHead(language, code)}` +
		`<pre tabindex="0"><code>${inBlocks(escapedPieces(code, names))}</code></pre></figure>\n`
	);
}

function escapedPieces(code: string, names: Names): string[] {
	let end = 0;
	return cutAtDirectionChanges(code).map(({ length }) => escapeCode(code.slice(0, (end += length)), names, end - length));
}

/** Puts a heading under those before it that it belongs to: levels that were left out are not missed, as a screen's outline must have it. */
function headingBelow(outline: Outline, level: number): string {
	while ((outline.at(-1) ?? 0) >= level) outline.pop();
	outline.push(level);
	return headingTag(outline);
}

/** The screen itself has an h1, so those of an answer start at h2. */
function headingTag(outline: Outline): string {
	return `h${Math.min(6, outline.length + 1)}`;
}

function alignByClass(token: Token): void {
	const style = token.attrGet('style');
	if (style !== null) token.attrs = [['class', String(style).replace('text-align:', 'align-')]];
}

/**
 * Links lead away from the app, in a tab that knows nothing of this one; what is neither web, mail nor phone loses its
 * address. Where the text names one host and the address another, that one stands beside it. An image becomes a link to itself, with its host
 * beside it: loading it would tell its server that, and when, this answer was read.
 */
function safeLinks(tokens: Token[], state: StateCore): Token[] {
	const safe: Token[] = [];
	const links = linksOf(tokens, state).values();
	let link: Link | undefined;
	for (const token of tokens) {
		if (token.type === 'link_open') {
			link = links.next().value!;
			token.attrs = linkAttributes(token, link.address, state);
			safe.push(token);
		} else if (token.type === 'image') {
			const text = new state.Token('text', '', 0);
			text.content = textOfImage(token, state);
			if (link) {
				safe.push(text);
				continue;
			}
			const image = links.next().value!;
			const open = new state.Token('link_open', 'a', 1);
			open.attrs = [['class', 'picture'], ...linkAttributes(token, image.address, state)];
			safe.push(open, text, new state.Token('link_close', 'a', -1), ...besidePicture(image, state));
		} else if (link && (token.type === 'math_open' || token.type === 'math_close')) {
			// Typeset, the text of a link could name what its source does not.
		} else {
			safe.push(token);
			if (token.type !== 'link_close' || !link) continue;
			safe.push(...besideLink(link, state));
			link = undefined;
		}
	}
	return safe;
}

/** Notes where lines may break within the long words of a paragraph; a word may go on from one token to the next. */
function breakLongWords(tokens: Token[]): void {
	let length = 0;
	for (const token of tokens) {
		if (token.type === 'softbreak' || token.type === 'hardbreak') length = 0;
		const { breaks, after } = longWordBreaks(token.content, length);
		length = after;
		if (breaks.length > 0) token.meta = { breaks };
	}
}

function breaksOf({ meta }: Token): number[] {
	return (meta?.breaks as number[] | undefined) ?? [];
}

interface Link {
	address: string;
	text: string;
	row: Row;
}

/** Links, and what touches them and could be of a host's name: they are seen as one word, such as `[bank](https://evil.example).[example](https://evil.example)`. */
interface Row {
	text: string;
	/** The number of links in it. */
	length: number;
	/** Set where it has text besides that of links. */
	hasMore: boolean;
	/** Set where it may read otherwise on the screen: where something turns text around, links may be turned, or a formula touches it. */
	isTurned: boolean;
	mayChangeDirection: boolean;
	/** Set once it is asked: true where all of it together names a place. */
	namesHost?: boolean;
	/** Set once it is asked: what `dialledIn` says of it. */
	dialled?: number;
}

/** Characters of scripts that are written from right to left: links between them may stand in another order than in the source. */
const rightToLeft = new RegExp(`[${rightToLeftCharacters}]`, 'u');

/** The links of a paragraph in their order, images that are not in one among them. */
function linksOf(tokens: Token[], state: StateCore): Link[] {
	const links: Link[] = [];
	const isTurned = tokens.some(({ content }) => /\p{Bidi_Control}/u.test(content));
	const hasCall = tokens.some((token) => isCall(String(token.attrGet('href') ?? token.attrGet('src') ?? '')));
	// The block may run to the left for what stands elsewhere in it.
	const mayChangeDirection = isTurned || (state.env.mayRunLeft as boolean);
	let row: Row = { text: '', length: 0, hasMore: false, isTurned, mayChangeDirection };
	let isOpen = false;
	const add = (token: Token, source: 'href' | 'src') => {
		row.length++;
		links.push({ address: String(token.attrGet(source) ?? ''), text: '', row });
	};
	for (const token of tokens) {
		if (token.type === 'image' && !isOpen) add(token, 'src');
		else if (token.type === 'link_open') {
			add(token, 'href');
			isOpen = true;
		}
		const text = token.type === 'image' ? textOfImage(token, state) : token.type === 'softbreak' || token.type === 'hardbreak' ? '\n' : token.content;
		if (isOpen || token.type === 'image') {
			links.at(-1)!.text += text;
			row.text += text;
		} else if (token.type === 'math_open') {
			row.hasMore = row.isTurned = true;
		} else if (token.type === 'math_close' || token.type === 'note_reference') {
			// A reference to a note is drawn as its label.
			row.hasMore = row.isTurned = true;
			row = { text: '', length: 0, hasMore: true, isTurned: true, mayChangeDirection };
		} else {
			const { start, end } = openEnds(text, hasCall);
			row.text += start;
			row.hasMore ||= start !== '';
			if (end !== undefined) row = { text: end, length: 0, hasMore: end !== '', isTurned, mayChangeDirection };
		}
		if (token.type === 'link_close') isOpen = false;
	}
	return links;
}

function textOfImage(token: Token, state: StateCore): string {
	return parser.renderer.renderInlineAsText(token.children ?? [], parser.options, state.env) || 'image';
}

/** The most of a target that stands beside a link: its start and its end. */
const maxTarget = 300;

function besideLink({ address, text, row }: Link, state: StateCore): Token[] {
	if (!isOutside(address)) return [];
	if (isCall(address) && row.mayChangeDirection) return targetTokens(targetOf(address), state);
	const target = otherTargetOnce(text, address, state) ?? (row.length > 1 || row.hasMore ? targetOfRow(row, text, address) : undefined);
	return target === undefined ? [] : targetTokens(target, state);
}

/** A picture is not there to be seen, so what it would be asked of is. */
function besidePicture({ address }: Link, state: StateCore): Token[] {
	return isOutside(address) ? targetTokens(targetOf(address), state) : [];
}

function targetTokens(target: string, state: StateCore): Token[] {
	const open = new state.Token('span_open', 'span', 1);
	open.attrs = [['class', 'target']];
	const content = new state.Token('text', '', 0);
	content.content = ` (${shortenMiddle(target, maxTarget)})`;
	return [open, content, new state.Token('span_close', 'span', -1)];
}

/** Does as `otherTarget`, once for each text and address of a block: one definition may stand for thousands of links. */
function otherTargetOnce(text: string, address: string, state: StateCore): string | undefined {
	const targets = state.env.targets as Map<string, string | undefined>;
	const key = `${text}\0${address}`;
	if (!targets.has(key)) targets.set(key, otherTarget(text, address));
	return targets.get(key);
}

/** Returns where a link of a row leads, if the row names another place. What a row of many links names is looked for once. */
function targetOfRow(row: Row, text: string, address: string): string | undefined {
	if (row.isTurned || (row.mayChangeDirection && row.length > 1)) return targetOf(address);
	// Words around a number are no part of it.
	if (isCall(address) && (row.dialled ??= dialledIn(row.text)) !== dialledIn(text)) return targetOf(address);
	if (row.length === 1) return isCall(address) ? undefined : otherTarget(row.text, address);
	row.namesHost ??= namesHost(row.text);
	return row.namesHost ? targetOf(address) : undefined;
}

function isOutside(address: string): boolean {
	return /^(https?:\/\/|mailto:|tel:)/i.test(address);
}

/** A title that is longer than this is left out. */
const maxTitleLength = 300;

/** Its title is shown with nothing beside it: one that names another place is left out. */
function linkAttributes(token: Token, address: string, state: StateCore): [string, string][] {
	if (!isOutside(address)) return [];
	const title = String(token.attrGet('title') ?? '');
	return [
		['href', address],
		['target', '_blank'],
		['rel', 'noopener noreferrer nofollow'],
		['referrerpolicy', 'no-referrer'],
		...(title && title.length <= maxTitleLength && otherTargetOnce(title, address, state) === undefined ? [['title', title] as [string, string]] : [])
	];
}
