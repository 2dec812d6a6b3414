import { shorten } from '../../shared/shorten';

/** Whitespace and control characters, but for a space that stands alone already. */
const folds = /[\s\u0000-\u001f\u007f-\u009f]{2,}|[^\S ]|[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Returns the beginning of a text, on one line of at most `max` UTF-16 units: whitespace folded, and … at its end if anything is left
 * out. Thousands of these take milliseconds, so it does not look for words as `excerptOf` does.
 */
export function previewOf(text: string, max: number): string {
	const start = text.trimStart();
	const near = start.slice(0, max * 3);
	const line = near.replace(folds, ' ').trim();
	const isWhole = near.length === start.length;
	// Of a text that goes on something is left out, however short the line has become.
	return shorten(isWhole ? line : line.padEnd(max + 1), max);
}
