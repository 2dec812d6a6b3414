/** A run of rows of a long list. */
export interface RowWindow {
	offset: number;
	limit: number;
}

/** Number of rows of a page. */
const page = 25;

/**
 * Returns the rows of a long list to read so that those from `first` to `last` can be drawn: whole pages, and one more on
 * either side. Scrolling within a page asks for the same window, so it reads nothing.
 */
export function windowAround(first: number, last: number): RowWindow {
	const offset = Math.max(0, Math.floor(first / page) - 1) * page;
	const end = (Math.floor(last / page) + 2) * page;
	return { offset, limit: end - offset };
}
