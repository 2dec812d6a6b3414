import { spaced } from '../shared/spaced';

/** A result of a recogniser. */
export interface Heard {
	words: string;
	isFinal: boolean;
	confidence: number;
	/** True if it was told as one that is not final: the recogniser marks what may still change. */
	wasInterim: boolean;
}

/**
 * Tells whether a result stays as it is. Chrome on Android marks every one as final, gives those that may still change the confidence 0, and begins
 * each with the words of the one before; another recogniser may be sure of none.
 */
const isSure = ({ isFinal, confidence, wasInterim }: Heard) => isFinal && (confidence > 0 || wasInterim);

/** Count of the results that stay as they are. */
export function settledIn(heard: readonly Heard[]): number {
	const open = heard.findIndex(({ isFinal }) => !isFinal);
	return heard.slice(0, open < 0 ? heard.length : open).findLastIndex(isSure) + 1;
}

/** Returns what was said from one result on to before another, each word once. */
export function saidIn(heard: readonly Heard[], from: number, to = heard.length): string {
	const isUnsure = (one: Heard | undefined) => one?.isFinal === true && !isSure(one);
	const repeats = heard.some((one, at) => isUnsure(heard[at - 1]) && restAfter(heard[at - 1], one) !== undefined);
	// Where it is sure of some, those that it was not sure of have come to these, also with other words.
	const revises = repeats && heard.some(isSure);
	const said: Heard[] = [];
	for (const one of heard.slice(from, to)) {
		const last = said.at(-1);
		if (restAfter(last, one) !== undefined || (revises && isUnsure(last))) said.pop();
		said.push(one);
	}
	const words = said.map((one, at) => (at === 0 ? restAfter(heard[from - 1], one) : undefined) ?? one.words);
	return words.reduce((text, more, at) => text + (said[at - 1]?.isFinal ? spaced(text, more, '') : more), '');
}

/** Returns the words of a result that follow those of the one before, where it begins with them and both are said to be final at once. */
function restAfter(before: Heard | undefined, { words, wasInterim }: Heard): string | undefined {
	if (!before?.isFinal || wasInterim) return undefined;
	const start = before.words.trimEnd();
	const rest = words.trimEnd().slice(start.length);
	const begins = words.slice(0, start.length).toLowerCase() === start.toLowerCase();
	// What goes on within a word is another one.
	return start !== '' && begins && spaced(start, rest, '') === rest ? rest : undefined;
}
