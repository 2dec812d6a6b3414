let query = $state('');
let count = $state(0);
/** The same, for effects that must not depend on it. */
let matching = 0;

/** The search over the page Settings: each setting hides itself where it does not match. */
export const settingSearch = {
	get query() {
		return query;
	},
	set query(typed: string) {
		query = typed;
	},
	/** Number of settings that match. */
	get count() {
		return count;
	},
	get active(): boolean {
		return query.trim() !== '';
	}
};

/** Has a setting, in its component, be found by these words. */
export function findable(words: () => string): { readonly isShown: boolean } {
	const isShown = $derived.by(() => {
		const text = words().toLowerCase();
		return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
	});
	$effect(() => {
		if (!isShown) return;
		count = ++matching;
		return () => void (count = --matching);
	});
	return {
		get isShown() {
			return isShown;
		}
	};
}
