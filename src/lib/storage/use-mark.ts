import { withSiteData } from '../shared/site-data';

const name = 'snug:used';
const orphaned = 'orphaned';

/**
 * Remembers, in local storage, that the database was used. A browser that finds it damaged removes it without a word, and leaves local
 * storage alone; what a user clears goes together. Nothing in Snug removes the database. Where local storage is refused, nothing is remembered.
 */
export class UseMark {
	constructor(private readonly storage: () => Storage) {}

	/** To be called when something is stored. */
	set(): void {
		withSiteData(this.storage, (storage) => storage.setItem(name, 'yes'));
	}

	/** Tells whether the database was removed since: from the first page on that finds it new, to the next `set`. */
	isOrphaned(isNew: boolean): boolean {
		const found = withSiteData(this.storage, (storage) => {
			if (isNew && storage.getItem(name) !== null) storage.setItem(name, orphaned);
			return storage.getItem(name) === orphaned;
		});
		return found ?? false;
	}
}
