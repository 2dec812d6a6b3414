const name = 'snug:used';

/**
 * Remembers, in local storage, that the database was used. A browser that finds it damaged removes it without a word, and leaves local
 * storage alone; what a person clears goes together. Nothing in Snug removes the database. Where local storage is refused, nothing is remembered.
 */
export class UseMark {
	constructor(private readonly storage: () => Storage) {}

	/** To be called when something is stored. */
	set(): void {
		try {
			this.storage().setItem(name, 'yes');
		} catch {
			// Site data are blocked, or there is no room; the page says so elsewhere.
		}
	}

	get isSet(): boolean {
		try {
			return this.storage().getItem(name) !== null;
		} catch {
			return false;
		}
	}
}
