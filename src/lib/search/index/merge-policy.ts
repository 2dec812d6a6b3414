/** Limit of a merged segment, so that making one takes little memory. */
const maxDocuments = 131_072;

/** Documents of the smallest tier; each next tier is `mergeFactor` times as large. */
const minTierDocuments = 1024;
const mergeFactor = 4;

interface SegmentSize {
	documents: number;
	/** Number of them that are deleted for good. */
	deleted: number;
}

/**
 * Picks the segments to merge next, as indexes, or undefined for none. The merge is size-tiered: the smallest segments of a tier that has
 * `mergeFactor` of them, or first one that is mostly deleted. So each document is rewritten a few times only, and the number of segments grows with
 * the logarithm. Where few documents are deleted, that waits for `idle`: a note that is typed in is deleted again with the next key. With `idle`, no
 * deleted document stays, since its words do as long: what is written again goes into a small segment, so that a large one is seldom rewritten.
 */
export function pickMerge(segments: readonly SegmentSize[], idle: boolean): number[] | undefined {
	const minDeleted = idle ? 0 : minTierDocuments;
	const mostlyDeleted = segments.findIndex(({ documents, deleted }) => deleted > documents / 2 && deleted >= minDeleted);
	if (mostlyDeleted >= 0) return [mostlyDeleted];
	const tier = pickTier(segments);
	if (tier || !idle) return tier;
	const withDeleted = segments.findIndex(({ deleted }) => deleted > 0);
	return withDeleted < 0 ? undefined : [withDeleted];
}

function pickTier(segments: readonly SegmentSize[]): number[] | undefined {
	const tiers = new Map<number, number[]>();
	segments.forEach(({ documents }, index) => {
		if (documents > maxDocuments / 2) return;
		const tier = Math.max(0, Math.floor(Math.log(documents / minTierDocuments) / Math.log(mergeFactor)));
		tiers.set(tier, [...(tiers.get(tier) ?? []), index]);
	});
	for (const [, tier] of [...tiers].sort(([a], [b]) => a - b)) {
		if (tier.length < mergeFactor) continue;
		let sum = 0;
		const chosen = tier
			.toSorted((a, b) => segments[a]!.documents - segments[b]!.documents)
			.filter((index) => (sum += segments[index]!.documents) <= maxDocuments);
		if (chosen.length > 1) return chosen;
	}
	return undefined;
}
