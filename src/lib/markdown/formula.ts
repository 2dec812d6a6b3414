import * as katex from 'katex';
import 'katex/dist/katex.min.css';
import './formula.css';

/** A formula longer than this, in characters, or of more elements, or nested deeper, stays source: laying it out would take too long. */
const maxLength = 2_000;
const maxElements = 3_000;
const maxDepth = 100;

/** Commands that define others: with them a few lines stand for any number of characters. */
const definition = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z])/;

const elementNames = new Set([
	...['span', 'svg', 'path', 'line'],
	...['math', 'semantics', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'msup', 'msub', 'msubsup', 'munder', 'mover', 'munderover', 'mfrac', 'msqrt', 'mroot'],
	...['mstyle', 'mpadded', 'mphantom', 'menclose', 'mtable', 'mtr', 'mtd', 'mlabeledtr']
]);

const attributeNames = new Set([
	...['class', 'style', 'aria-hidden', 'xmlns', 'width', 'height', 'viewBox', 'preserveAspectRatio', 'd', 'x1', 'x2', 'y1', 'y2', 'stroke-width'],
	...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'mathcolor', 'mathbackground', 'mathsize', 'stretchy', 'fence', 'separator', 'linebreak'],
	...['accent', 'accentunder', 'largeop', 'minsize', 'maxsize', 'lspace', 'rspace', 'linethickness', 'depth', 'valign', 'voffset', 'notation'],
	...['rowspacing', 'columnspacing', 'columnalign', 'rowlines', 'columnlines']
]);

/** A formula as elements, and how many there are at most. */
export interface Formula {
	element: Element;
	elements: number;
}

/** A part of what KaTeX makes before there are elements; KaTeX's types leave it out. */
interface Part {
	children?: Part[];
	toNode(): Element;
}

const { __renderToDomTree: partsOf } = katex as unknown as { __renderToDomTree(formula: string, options: katex.KatexOptions): Part };

/** Tells whether a formula, its marks included, stands on lines of its own. */
export function isDisplayed(source: string): boolean {
	return source.startsWith('$$') || source.startsWith('\\[');
}

/**
 * Returns a formula, its marks included, as elements with MathML beside them; undefined where it can't be typeset. KaTeX makes elements one by one,
 * no HTML, so no text of a formula is ever parsed as HTML; what it made is checked all the same.
 */
export function typeset(source: string): Formula | undefined {
	if (source.length > maxLength || definition.test(source)) return undefined;
	const displayMode = isDisplayed(source);
	const mark = displayMode || source.startsWith('\\') ? 2 : 1;
	let parts: Part;
	try {
		// Everything that fails leaves the source: also a stack that is too small for what is nested.
		parts = partsOf(source.slice(mark, -mark), { displayMode, trust: false, strict: 'ignore', throwOnError: true, maxExpand: 1000, maxSize: 20 });
	} catch {
		return undefined;
	}
	// Elements take far longer to make than the parts.
	const elements = count(parts);
	if (elements > maxElements) return undefined;
	const element = parts.toNode();
	// The source once more.
	element.querySelector('annotation')?.remove();
	return [element, ...element.querySelectorAll('*')].every(isKnown) ? { element, elements } : undefined;
}

/** Counts a part with all that is in it; there is no end to what is too deep. */
function count({ children = [] }: Part, depth = 1): number {
	if (depth > maxDepth) return Infinity;
	let sum = 1;
	for (const child of children) if ((sum += count(child, depth + 1)) > maxElements) return Infinity;
	return sum;
}

/** Tells whether an element is one of those that KaTeX makes. */
function isKnown({ localName, attributes }: Element): boolean {
	return elementNames.has(localName) && [...attributes].every(({ name, value }) => attributeNames.has(name) && !/url\(/i.test(value));
}
