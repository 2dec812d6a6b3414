/** The most values that a summary is drawn with underlined: each of them is an element. */
const maxMarks = 1000;

/** A tree of values, by character: what a text has of them is found in one pass, however many they are. */
interface Node {
	next: Map<string, Node>;
	/** The value that ends here. */
	value?: string;
}

/** The unverified values that a text still has, as whole words; all of them where that would take too long to find out. */
export function unverifiedIn(text: string, unverified: readonly string[]): string[] {
	const found = new Set<string>();
	const finder = new ValueFinder(text, unverified);
	for (let at = 0; at < text.length; at++) for (const value of finder.valuesAt(at)) found.add(value);
	return unverified.filter((value) => found.has(value) || (finder.isSpent && value !== ''));
}

/** A text in pieces, those that are unverified values apart; together they are the text. */
export function markUnverified(text: string, unverified: readonly string[]): { text: string; unverified: boolean }[] {
	const finder = new ValueFinder(text, unverified);
	const pieces: { text: string; unverified: boolean }[] = [];
	let marks = 0;
	let end = 0;
	for (let at = 0; at < text.length && marks < maxMarks; at++) {
		// The longest, so that a value within another does not take it apart.
		const value = finder.valuesAt(at).at(-1);
		if (value === undefined) continue;
		pieces.push({ text: text.slice(end, at), unverified: false }, { text: value, unverified: true });
		end = at + value.length;
		at = end - 1;
		marks++;
	}
	return [...pieces, { text: text.slice(end), unverified: false }].filter((piece) => piece.text !== '');
}

function treeOf(values: readonly string[]): Node {
	const root: Node = { next: new Map() };
	for (const value of values) {
		if (value === '') continue;
		let node = root;
		for (let at = 0; at < value.length; at++) {
			const before = node;
			node = before.next.get(value[at]!) ?? { next: new Map() };
			before.next.set(value[at]!, node);
		}
		node.value = value;
	}
	return root;
}

/** Finds values in a text. It compares so many characters of values in all, and then finds no more: only a text made for it comes to that. */
class ValueFinder {
	private left = 250_000;
	private readonly root: Node;

	constructor(
		private readonly text: string,
		values: readonly string[]
	) {
		this.root = treeOf(values);
	}

	/** True once it has compared that many: what is found since is not all there is. */
	get isSpent(): boolean {
		return this.left <= 0;
	}

	/** The values that begin at a place, the shortest first: `42` is not in `420`, but `/a` is in `./a`. */
	valuesAt(at: number): string[] {
		const { text } = this;
		const values: string[] = [];
		let node = this.root.next.get(text[at]!);
		if (!node || isWithinWord(text, at)) return values;
		for (let end = at + 1; node && this.left > 0; end++, this.left--) {
			if (node.value !== undefined && !isWithinWord(text, end)) values.push(node.value);
			node = end < text.length ? node.next.get(text[end]!) : undefined;
		}
		return values;
	}
}

/** Tells whether letters or digits stand on both sides of a place. */
function isWithinWord(text: string, at: number): boolean {
	return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));
}
