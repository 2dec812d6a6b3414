/** The name in local storage of what the user prefers on this device: values by the names of `preferences`. */
export const preferencesKey = 'snug:preferences';

/** Has the page follow what is kept: data attributes of its root, which the styles know. Run by the script in the page's head, before anything is painted. */
export function applyPreferences(): void {
	try {
		Object.assign(document.documentElement.dataset, JSON.parse(localStorage.getItem(preferencesKey)!));
	} catch {
		// Where site data are blocked there is nothing, which the page says elsewhere.
	}
}

/** Keeps a value beside the others, and applies it; where it can't be kept, until the page goes. Returns whether it is. */
export function keepPreference(name: string, value: string): boolean {
	document.documentElement.dataset[name] = value;
	try {
		localStorage.setItem(preferencesKey, JSON.stringify({ ...(JSON.parse(localStorage.getItem(preferencesKey)!) as object), [name]: value }));
		return true;
	} catch {
		return false;
	}
}
