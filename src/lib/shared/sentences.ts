import { characterStart } from './shorten';

/** The most that is spoken at a time, in UTF-16 units: engines cut off what takes them longer than about 15 seconds. */
const longest = 200;

/** Cuts a text into what is spoken at a time: its sentences and lines, and of long ones the parts; what can't be spoken is left out. */
export function sentencesOf(text: string): string[] {
	const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text);
	return Array.from(segments, ({ segment }) => segment.replace(/\s+/gu, ' ').trim())
		.flatMap(partsOf)
		.filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** Cuts a sentence where one pauses, else between words, else between characters. */
function partsOf(sentence: string): string[] {
	const parts: string[] = [];
	let rest = sentence;
	while (rest.length > longest) {
		const near = rest.slice(0, longest);
		const pause = Math.max(...Array.from(near.matchAll(/[,;:–—](?=\s)|[、，；：]/gu), ({ index }) => index + 1), 0);
		const end = pause > longest / 4 ? pause : near.lastIndexOf(' ') + 1 || characterStart(rest, longest) || longest;
		parts.push(rest.slice(0, end).trim());
		rest = rest.slice(end).trimStart();
	}
	return [...parts, rest];
}
