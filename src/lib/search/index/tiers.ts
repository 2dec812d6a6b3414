/** No segment grows beyond so many documents: so that making one takes little memory. */
const largest = 131_072;

/** The documents of the smallest tier; each next tier is `growth` times as large. */
const smallest = 1024;
const growth = 4;

interface Measured {
	documents: number;
	/** Number of them that are gone for good. */
	dead: number;
}

/**
 * Chooses the segments to merge next, as indexes, or undefined for none: one that is mostly dead, or else the smallest ones of a tier which has
 * `growth` of them. So each document is written again a few times only, and the number of segments grows with the logarithm. Where
 * few documents are dead, that waits until nothing else is to do (`idle`): a note that is typed in is dead again with the next key.
 */
export function dueForMerge(segments: readonly Measured[], idle: boolean): number[] | undefined {
	const fewest = idle ? 0 : smallest;
	const wasted = segments.findIndex(({ documents, dead }) => dead > documents / 2 && dead >= fewest);
	if (wasted >= 0) return [wasted];
	const tiers = new Map<number, number[]>();
	segments.forEach(({ documents }, index) => {
		if (documents > largest / 2) return;
		const tier = Math.max(0, Math.floor(Math.log(documents / smallest) / Math.log(growth)));
		tiers.set(tier, [...(tiers.get(tier) ?? []), index]);
	});
	for (const [, tier] of [...tiers].sort(([a], [b]) => a - b)) {
		if (tier.length < growth) continue;
		let sum = 0;
		const chosen = tier
			.toSorted((a, b) => segments[a]!.documents - segments[b]!.documents)
			.filter((index) => (sum += segments[index]!.documents) <= largest);
		if (chosen.length > 1) return chosen;
	}
	return undefined;
}
