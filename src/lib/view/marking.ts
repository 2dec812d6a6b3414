import type { WordMark } from '../search/marks';
import { densestMark } from '../search/densest-mark';
import { foundBy } from '../search/found-by';
import type { Marker } from './find.svelte';

/** The longest time that marking may keep the page, in milliseconds. */
const milliseconds = 4;

/** The most words of a message that are marked: the browser looks at each of them whenever it draws. */
const maxMarks = 1000;

/** The most words of a message that are looked at, to choose where it is shown. */
const maxFound = 10_000;

/** Length of text that is marked at a time, in UTF-16 units: cut where a block ends, and anywhere only when it is far more. */
const enough = 2048;
const atMost = 8192;

const blocks = 'p, li, h2, h3, h4, h5, h6, pre, th, td, blockquote';
/** Elements of a message that are not said in it, messages within it, and formulas as they are drawn, whose sources are there too. */
const beside = 'article[data-id], figcaption, footer, details:not(.markdown details, .traffic), .traffic :is(summary, header, button), .katex';

/** A piece of a text node, and where it is in the text that is marked. */
interface Run {
	node: Text;
	from: number;
	to: number;
	at: number;
}

/** Places of words in a message, in order, and the index of the one that the message is shown at. */
interface Marks {
	ranges: StaticRange[];
	shown: number;
}

const noMarks: Marks = { ranges: [], shown: 0 };

/**
 * Marks words in the messages that are drawn and in sight, by highlights of CSS: their elements are not touched. It keeps up with what
 * is drawn, a little in each frame; an answer that is still growing is marked when it is whole. `::highlight(found)` is for all
 * words, `::highlight(found-here)` for those of the message that was gone to.
 */
export class Marking {
	private readonly found = new Highlight();
	private readonly here = new Highlight();
	private readonly marks = new Map<Element, Marks>();
	private readonly inSight = new Set<Element>();
	private readonly stale = new Set<Element>();
	private marker: Marker | undefined;
	private query = '';
	private hereId: string | undefined;
	/** The index of the word of the message that was gone to that was gone to since. */
	private stepped: number | undefined;
	private work: { article: Element; steps: Generator<void, Marks> } | undefined;
	private frame: number | undefined;
	private readonly changes: MutationObserver;
	private readonly sight: IntersectionObserver;

	/** `column` holds the messages: articles with `data-id`. `onword` is told of the word that the message that was gone to is shown at, whenever it is marked. */
	constructor(
		private readonly column: Element,
		private readonly onword: (word: Range) => void
	) {
		this.here.priority = 1;
		CSS.highlights.set('found', this.found).set('found-here', this.here);
		this.sight = new IntersectionObserver((entries) => this.see(entries), { root: column.parentElement, rootMargin: '50% 0px' });
		this.changes = new MutationObserver((records) => this.notice(records));
		this.changes.observe(column, { childList: true, characterData: true, subtree: true, attributeFilter: ['aria-busy'] });
		this.meetArticles();
	}

	/** True if the browser can do it. */
	static get isPossible(): boolean {
		return 'highlights' in CSS;
	}

	/** Marks by this from now on; what was marked stays until it is marked again. The index answers the same `query` again whenever it has read on: the word that was gone to stays. */
	use(marker: Marker | undefined, query: string): void {
		this.marker = marker;
		if (query !== this.query) this.stepped = undefined;
		this.query = query;
		if (!marker) for (const article of this.marks.keys()) this.put(article, noMarks);
		for (const article of this.inSight) this.touch(article);
	}

	/** The message that was gone to. */
	pointAt(messageId: string | undefined): void {
		this.hereId = messageId;
		this.stepped = undefined;
		for (const [article, marks] of this.marks) this.put(article, marks);
	}

	/**
	 * Goes from the word that the message that was gone to is shown at to the next one of it that is out of sight, or to the one before for -1; to its first or last word if `isAnew`.
	 * Returns it, or undefined where there is none.
	 */
	step(by: 1 | -1, isAnew = false): Range | undefined {
		const marks = [...this.marks].find(([article]) => this.isHere(article))?.[1];
		if (!marks) return undefined;
		const { top, bottom } = this.column.parentElement!.getBoundingClientRect();
		const ahead = by > 0 ? 0 : marks.ranges.length - 1;
		for (let at = isAnew ? ahead : (this.stepped ?? marks.shown) + by; at >= 0 && at < marks.ranges.length; at += by) {
			const word = liveOf(marks.ranges[at]!);
			// What is folded away has no extent.
			const place = word.getClientRects()[0];
			if (!place || (!isAnew && (by > 0 ? place.bottom <= bottom : place.top >= top))) continue;
			this.stepped = at;
			return word;
		}
		return undefined;
	}

	stop(): void {
		this.changes.disconnect();
		this.sight.disconnect();
		if (this.frame !== undefined) cancelAnimationFrame(this.frame);
		CSS.highlights.delete('found');
		CSS.highlights.delete('found-here');
	}

	private notice(records: MutationRecord[]): void {
		let isOther = false;
		for (const { target } of records) {
			const article = (target instanceof Element ? target : target.parentElement)?.closest('article[data-id]');
			if (article) this.touch(article);
			else isOther = true;
		}
		if (isOther) this.meetArticles();
	}

	private meetArticles(): void {
		const drawn = new Set(this.column.querySelectorAll('article[data-id]'));
		for (const article of [...this.inSight, ...this.marks.keys()]) if (!drawn.has(article)) this.forget(article);
		// Observing one again changes nothing.
		for (const article of drawn) this.sight.observe(article);
	}

	private forget(article: Element): void {
		this.sight.unobserve(article);
		this.put(article, noMarks);
		this.inSight.delete(article);
		this.stale.delete(article);
	}

	private see(entries: IntersectionObserverEntry[]): void {
		for (const { target, isIntersecting } of entries) {
			if (isIntersecting) this.inSight.add(target);
			else this.inSight.delete(target);
			if (isIntersecting) this.touch(target);
			else this.put(target, noMarks);
		}
	}

	private touch(article: Element): void {
		if (this.work?.article === article) this.work = undefined;
		this.stale.add(article);
		this.frame ??= requestAnimationFrame(() => this.go());
	}

	private go(): void {
		this.frame = undefined;
		const until = performance.now() + milliseconds;
		while (performance.now() < until) {
			this.work ??= this.nextWork();
			if (!this.work) return;
			const { article, steps } = this.work;
			const { done, value } = steps.next();
			if (!done) continue;
			this.work = undefined;
			this.put(article, value);
		}
		this.frame = requestAnimationFrame(() => this.go());
	}

	private nextWork(): typeof this.work {
		const { marker } = this;
		if (!marker) return undefined;
		for (const article of this.stale) {
			if (article.ariaBusy === 'true') continue;
			this.stale.delete(article);
			if (this.inSight.has(article)) return { article, steps: marksIn(article, marker) };
		}
		return undefined;
	}

	private put(article: Element, marks: Marks): void {
		for (const range of this.marks.get(article)?.ranges ?? []) {
			this.found.delete(range);
			this.here.delete(range);
		}
		const isHere = this.isHere(article);
		for (const range of marks.ranges) (isHere ? this.here : this.found).add(range);
		if (marks.ranges.length > 0) this.marks.set(article, marks);
		else this.marks.delete(article);
		const shown = marks.ranges[this.stepped ?? marks.shown];
		if (isHere && shown) this.onword(liveOf(shown));
	}

	private isHere(article: Element): boolean {
		return (article as HTMLElement).dataset.id === this.hereId;
	}
}

/** Finds the words of a message piece by piece, and keeps those around the one that it is shown at. */
function* marksIn(article: Element, marker: Marker): Generator<void, Marks> {
	const rangeOf = new Map<WordMark, StaticRange>();
	let length = 0;
	for (const { text, runs } of piecesOf(article)) {
		for (const [from, to, words, own] of marker(text)) {
			const first = runs[lastAt(runs, from)]!;
			const last = runs[lastAt(runs, to - 1)]!;
			rangeOf.set(
				[length + from, length + to, words, own],
				new StaticRange({
					startContainer: first.node,
					startOffset: Math.min(first.to, first.from + from - first.at),
					endContainer: last.node,
					endOffset: Math.min(last.to, last.from + to - last.at)
				})
			);
		}
		if (rangeOf.size >= maxFound) break;
		length += text.length;
		yield;
	}
	const marks = foundBy([...rangeOf.keys()]);
	const ranges = marks.map((mark) => rangeOf.get(mark)!);
	const shown = densestMark(marks);
	const start = Math.max(0, Math.min(shown - maxMarks / 2, ranges.length - maxMarks));
	return { ranges: ranges.slice(start, start + maxMarks), shown: shown - start };
}

/** Follows what is drawn from now on; the text may be shorter already than when it was marked. */
function liveOf({ startContainer, startOffset, endContainer, endOffset }: StaticRange): Range {
	const range = document.createRange();
	range.setStart(startContainer, Math.min(startOffset, (startContainer as Text).length));
	range.setEnd(endContainer, Math.min(endOffset, (endContainer as Text).length));
	return range;
}

/** Yields what is said in a message, as texts with the nodes that they are made of. Blocks are apart by a line break. */
function* piecesOf(article: Element): Generator<{ text: string; runs: Run[] }, void> {
	const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
		if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
		return (node as Element).matches(beside) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
	});
	let text = '';
	let runs: Run[] = [];
	let block: Element | null | undefined;
	for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
		const own = node.parentElement!.closest(blocks);
		if (own !== block && text) {
			text += '\n';
			if (text.length >= enough) {
				yield { text, runs };
				[text, runs] = ['', []];
			}
		}
		block = own;
		for (let from = 0; from < node.length; ) {
			const to = endOfPiece(node.data, from, Math.max(1, atMost - text.length));
			runs.push({ node, from, to, at: text.length });
			text += node.data.slice(from, to);
			from = to;
			if (text.length < atMost && from === node.length) continue;
			yield { text, runs };
			[text, runs] = ['', []];
		}
	}
	if (runs.length > 0) yield { text, runs };
}

/** Returns the end of a piece of at most `room` units: a white space, if it has one. */
function endOfPiece(data: string, from: number, room: number): number {
	if (data.length - from <= room) return data.length;
	const piece = data.slice(from, from + room);
	const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
	return from + (space < 0 ? room : space + 1);
}

/** The last run that begins at `place` or before. */
function lastAt(runs: Run[], place: number): number {
	let low = 0;
	let high = runs.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (runs[middle]!.at <= place) low = middle;
		else high = middle - 1;
	}
	return low;
}
