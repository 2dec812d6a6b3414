import { lazy } from '../shared/lazy';
import { followBlocks } from './follow-blocks';
import type { Formula } from './formula';

/** Typesetting goes on for so many milliseconds of a frame, for all messages together. */
const sliceMs = 15;

/** The most elements that formulas of one message have; what comes after stays source. */
const maxElements = 30_000;

/** The most elements of formulas that are kept to be drawn again, as those of a paragraph that grows are. */
const maxKept = 30_000;

type Typesetter = typeof import('./formula');

let typesetter: Typesetter | undefined;
const loadTypesetter = lazy(async () => {
	typesetter = await import('./formula');
	document.addEventListener('copy', copySources);
});

/** Formulas by their sources; undefined for one that can't be typeset. */
const kept = new Map<string, Formula | undefined>();
let keptElements = 0;

/** The end of this frame's slice, once it has begun. */
let sliceEnd: number | undefined;

/**
 * Typesets the formulas of a message that is in the page. Until one is, its source is shown. Afterwards that stands, out of sight, beside
 * the formula: it is what a selection, the words of the message and a search have, while screen readers have the MathML.
 */
export class Formulas {
	private frame: number | undefined;
	private readonly sizes = new ResizeObserver(() => this.fit());
	private readonly unfollow: () => void;
	/** At least as many as formulas in the page have: those of what was drawn anew meanwhile are still counted. */
	private elements = 0;
	/** Formulas of a line that are not fitted to the size they stand in. */
	private unfitted: HTMLElement[] = [];
	/** The size to which all others are fitted. */
	private size = '';

	/** `root` has the blocks of the message; `tell` learns whether some formulas are left to be typeset. */
	constructor(
		private readonly root: HTMLElement,
		private readonly tell: (isPending: boolean) => void
	) {
		this.unfollow = followBlocks(root, () => this.typeset());
		this.typeset();
	}

	stop(): void {
		this.unfollow();
		this.sizes.disconnect();
		if (this.frame !== undefined) cancelAnimationFrame(this.frame);
	}

	/** Typesets what was drawn since the last time: at once, as far as there is time, and the rest in the frames that follow. */
	private typeset(): void {
		if (this.frame !== undefined || !this.root.isConnected) return;
		const waiting = this.root.querySelectorAll<HTMLElement>('.math:not(.seen)');
		if (waiting.length === 0) return;
		if (!typesetter) {
			this.tell(true);
			loadTypesetter().then(
				() => this.typeset(),
				(cause: unknown) => {
					this.tell(false);
					console.warn('Formulas are shown as they were written.', cause);
				}
			);
			return;
		}
		for (const place of waiting) {
			if (!hasTime()) {
				this.frame = requestAnimationFrame(() => {
					this.frame = undefined;
					this.typeset();
				});
				this.tell(true);
				return;
			}
			place.classList.add('seen');
			const formula = formulaOf(typesetter, place.textContent);
			if (!formula || !this.hasRoom(formula)) continue;
			const isDisplayed = typesetter.isDisplayed(place.textContent);
			put(place, formula.element.cloneNode(true), isDisplayed);
			if (!isDisplayed) this.unfitted.push(place);
		}
		this.tell(false);
		// It is told of the size that there is now, too.
		this.sizes.disconnect();
		this.sizes.observe(this.root);
	}

	/** Counts a formula that is drawn, unless all together would have too many elements. */
	private hasRoom({ elements }: Formula): boolean {
		if (this.elements + elements > maxElements) this.elements = this.root.querySelectorAll('.katex *').length;
		if (this.elements + elements > maxElements) return false;
		this.elements += elements;
		return true;
	}

	/**
	 * Lets formulas of a line that are as wide as what they stand in scroll by themselves: all where the size is another, else those that are
	 * new. A message that grows would measure each again at every word.
	 */
	private fit(): void {
		const size = `${this.root.clientWidth} ${getComputedStyle(this.root).fontSize}`;
		if (size !== this.size) this.unfitted = [...this.root.querySelectorAll<HTMLElement>('.math.set:not(.display)')];
		this.size = size;
		const places = this.unfitted.filter(({ isConnected }) => isConnected).map((place) => ({ place, column: place.closest('p, li, th, td, h2, h3, h4, h5, h6')!.clientWidth }));
		// What is folded has no width yet.
		this.unfitted = places.filter(({ column }) => column === 0).map(({ place }) => place);
		const wide = places.filter(({ place, column }) =>
			[...place.querySelectorAll('.katex-base')].some(({ clientWidth, scrollWidth }) => clientWidth >= column - 1 && scrollWidth > clientWidth + 1)
		);
		for (const { place } of wide) makeScrollable(place);
	}
}

/** Shows sources in the place of formulas while the browser copies what is selected, which it does as soon as it has told of it. */
function copySources(): void {
	document.documentElement.classList.add('copying');
	setTimeout(() => document.documentElement.classList.remove('copying'));
}

function hasTime(): boolean {
	const now = performance.now();
	if (sliceEnd === undefined) {
		sliceEnd = now + sliceMs;
		requestAnimationFrame(() => (sliceEnd = undefined));
	}
	return now < sliceEnd;
}

function formulaOf({ typeset }: Typesetter, source: string): Formula | undefined {
	if (kept.has(source)) return kept.get(source);
	const formula = typeset(source);
	keptElements += 1 + (formula?.elements ?? 0);
	if (keptElements > maxKept) {
		kept.clear();
		keptElements = 0;
	}
	kept.set(source, formula);
	return formula;
}

function put(place: HTMLElement, drawn: Node, isDisplayed: boolean): void {
	const source = document.createElement('span');
	source.className = 'source';
	source.ariaHidden = 'true';
	source.append(...place.childNodes);
	place.append(source, drawn);
	place.classList.add('set');
	if (isDisplayed) makeScrollable(place);
}

/** Whoever has only a keyboard must be able to focus what scrolls. */
function makeScrollable(place: HTMLElement): void {
	place.classList.add('display');
	place.tabIndex = 0;
	place.role = 'group';
	place.ariaLabel = 'Formula';
}
