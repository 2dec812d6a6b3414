/** Times at which this tab saw models begin to think, by the id of the answer: an answer is drawn anew when its chat is opened again. */
const begun = new Map<string, number>();

/** Returns for how many seconds an answer has been thought about, as far as this tab saw it. */
export function secondsThinking(messageId: string): number {
	const since = begun.get(messageId) ?? performance.now();
	begun.set(messageId, since);
	return Math.floor((performance.now() - since) / 1000);
}
