/** Formats a cost: `$0.0042`, `$1.37`; an en dash where it is not known. `usd` in US dollars. */
export function formatCost(usd: number | undefined): string {
	if (usd === undefined) return '–';
	if (usd > 0 && usd < 0.0001) return '< $0.0001';
	return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}
