/** The most that plain data may have: levels of lists and objects within each other, and values in all. */
export interface Extent {
	levels: number;
	values: number;
}

/** Tells whether plain data is nested deeper, or has more values in it, than it may. Looks at no more of it than that. */
export function exceeds(value: unknown, { levels, values }: Extent): boolean {
	let left = values;
	const isMore = (inner: unknown, levelsLeft: number): boolean => {
		if (--left < 0) return true;
		if (typeof inner !== 'object' || inner === null) return false;
		// A list is not copied first: it may have millions.
		if (levelsLeft === 0 || (Array.isArray(inner) && inner.length > left)) return true;
		return Object.values(inner).some((one) => isMore(one, levelsLeft - 1));
	};
	return isMore(value, levels);
}
