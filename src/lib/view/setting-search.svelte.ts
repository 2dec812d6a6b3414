import { getContext, onDestroy, setContext, untrack } from 'svelte';

let query = $state('');

/** A section of the page Settings, by the title of which its settings are found too. */
export class SettingSection {
	/** Number of its settings that match. */
	matching = $state(0);
	/** Id of its heading. */
	readonly id: string;

	constructor(readonly title: string) {
		this.id = title.toLowerCase();
	}

	get isShown(): boolean {
		return !settingSearch.active || this.matching > 0;
	}
}

/** The sections that the page has, in their order. */
let sections = $state.raw<readonly SettingSection[]>([]);

/** The search over the page Settings: each setting hides itself where it does not match. */
export const settingSearch = {
	get query() {
		return query;
	},
	set query(typed: string) {
		query = typed;
	},
	/** Number of settings that match. */
	get count(): number {
		return sections.reduce((sum, { matching }) => sum + matching, 0);
	},
	get active(): boolean {
		return query.trim() !== '';
	},
	/** Sections that have a setting that matches; all of them, where nothing is searched for. */
	get sections(): readonly SettingSection[] {
		return sections.filter(({ isShown }) => isShown);
	}
};

const sectionKey = Symbol('section of the settings');

/** Begins a section in its component, and has the settings in it be found by its title too. */
export function beginSection(title: string): SettingSection {
	const section = new SettingSection(title);
	sections = [...sections, section];
	onDestroy(() => (sections = sections.filter((one) => one !== section)));
	return setContext(sectionKey, section);
}

/** Has a setting, in its component, be found by these words. What stands elsewhere, as in a dialog, is always shown. */
export function findable(words: () => string): { readonly isShown: boolean } {
	const section = getContext<SettingSection | undefined>(sectionKey);
	if (!section) return { isShown: true };
	const isShown = $derived.by(() => {
		const text = `${section.title} ${words()}`.toLowerCase();
		return query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
	});
	$effect(() => {
		if (!isShown) return;
		untrack(() => section.matching++);
		return () => section.matching--;
	});
	return {
		get isShown() {
			return isShown;
		}
	};
}
