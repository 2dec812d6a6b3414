/**
 * @param {number[]} values at least one
 * @returns {number} the middle one, or the mean of the two in the middle
 */
export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (/** @type {number} */ index) => /** @type {number} */ (sorted[Math.floor(index)]);
	return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

/** @param {number[]} values at least one @param {number} share between 0 and 1 @returns {number} the value that so many are not above */
export function percentile(values, share) {
	const sorted = [...values].sort((a, b) => a - b);
	return /** @type {number} */ (sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]);
}

/** @param {number[]} values @param {string} unit @returns {string} the median and the extremes, e.g. `12.3 ms (10.1 to 15.7)` */
export function withRange(values, unit) {
	const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(digits);
	return `${middle} ${unit} (${least} to ${most})`;
}

/** @param {number} milliseconds */
export const ms = (milliseconds) => `${digits(milliseconds)} ms`;

/** @param {number} ratio */
export const times = (ratio) => `${ratio.toFixed(2)}×`;

/** @param {number} bytes in decimal units, as the app counts them */
export const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** Three digits that say something, or all of a larger number's. @param {number} value */
const digits = (value) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
