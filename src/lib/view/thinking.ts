/** Times at which this tab saw models begin to think, by the id of the answer: an answer is drawn anew when its chat is opened again. */
const begun = new Map<string, number>();

/** Returns for how many seconds an answer has been thought about, as far as this tab saw it. */
export function secondsThinking(messageId: string): number {
	const since = begun.get(messageId) ?? performance.now();
	begun.set(messageId, since);
	return Math.floor((performance.now() - since) / 1000);
}

/** Writes a time as people say it: “8 s”, “2 min 5 s”. */
export function timeWords(milliseconds: number): string {
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
