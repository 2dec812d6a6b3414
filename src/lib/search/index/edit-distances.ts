import { unitsOf } from './units';

/**
 * The Levenshtein distances, in UTF-16 units, of one term to the prefixes of others that are shown to it in order. What two of them
 * share at the beginning is computed once.
 *
 * Row i of the matrix holds the distances of the first i units of the other to all prefixes of the term whose lengths differ from i by `max`
 * at most: no others can be close enough. On either side of them is a cell that is too far, so the band has no edge to look out for.
 */
export class EditDistances {
	private readonly term: Uint16Array;
	private readonly rows: Uint8Array;
	private readonly width: number;

	/** `max` is at most 254. */
	constructor(
		term: string,
		private readonly max: number
	) {
		this.term = unitsOf(term);
		this.width = 2 * max + 3;
		this.rows = new Uint8Array((term.length + max + 1) * this.width).fill(max + 1);
		for (let length = 0; length <= Math.min(max, term.length); length++) this.rows[max + 1 + length] = length;
		for (let length = 0; length <= max; length++) this.rows[length * this.width + max + 1 - length] = length;
	}

	/**
	 * Looks at a term of `length` units, of which the first `shared` are those of the one before. Returns how long its shortest prefix is
	 * that no match begins with, or Infinity.
	 */
	advance(units: Uint16Array, shared: number, length: number): number {
		const { term, rows, width, max } = this;
		const maxRow = term.length + max;
		for (let row = shared + 1; row <= length; row++) {
			if (row > maxRow) return row;
			const unit = units[row - 1]!;
			const first = Math.max(1, row - max);
			const last = Math.min(term.length, row + max);
			// The cell of the term's prefix that has `column` units.
			let cell = row * width + first - row + max + 1;
			let left = rows[cell - 1]!;
			let smallest = row <= max ? row : max + 1;
			for (let column = first; column <= last; column++, cell++) {
				const diagonal = rows[cell - width]!;
				const above = rows[cell - width + 1]!;
				let distance = unit === term[column - 1]! ? diagonal : diagonal + 1;
				if (above < distance) distance = above + 1;
				if (left < distance) distance = left + 1;
				if (distance > max) distance = max + 1;
				rows[cell] = left = distance;
				if (distance < smallest) smallest = distance;
			}
			if (smallest > max) return row;
		}
		return Infinity;
	}

	/** The distance of the term that was looked at last, which has `length` units and no prefix that is too far; more than `max` for any that is. */
	distance(length: number): number {
		const difference = this.term.length - length;
		return Math.abs(difference) > this.max ? this.max + 1 : this.rows[length * this.width + difference + this.max + 1]!;
	}
}
