import { getContext, setContext } from 'svelte';

let query = $state('');
let count = $state(0);
/** `count`, not reactive: effects must not depend on it. */
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

const sectionKey = Symbol('section of the settings');

/** Has the settings in a section's component be found by its title too. */
export function beginSection(title: () => string): void {
	setContext(sectionKey, title);
}

/** Has a setting, in its component, be found by these words. What stands elsewhere, as in a dialog, is always shown. */
export function findable(words: () => string): { readonly isShown: boolean } {
	const section = getContext<(() => string) | undefined>(sectionKey);
	if (!section) return { isShown: true };
	const isShown = $derived.by(() => {
		const text = `${section()} ${words()}`.toLowerCase();
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
