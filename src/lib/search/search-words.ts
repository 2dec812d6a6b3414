import { withSiteData } from '../shared/site-data';

/** Limit of texts that are kept. */
const maxTexts = 300;

/** Limit of a text that is kept, in UTF-16 units; longer ones are refused anyway. */
const maxLength = 2_000;

const storageKey = 'search-words';

/**
 * The words of searches, stored in the tab under random keys. Addresses have the key in their place, since they get into the browser's history
 * and the logs of hosts. They last as long as the tab: going back and reloading find them.
 */
export class SearchWords {
	private texts: Map<string, string> | undefined;

	constructor(private readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {}

	keyOf(text: string): string {
		const kept = text.slice(0, maxLength);
		if (kept === '') return '';
		const texts = this.read();
		for (const [key, other] of texts) if (other === kept) return key;
		const key = crypto.randomUUID().slice(0, 13);
		texts.set(key, kept);
		for (const oldest of texts.keys()) if (texts.size > maxTexts) texts.delete(oldest);
		// Without room or permission, they are kept until the page is loaded again.
		withSiteData(this.storage, (storage) => storage.setItem(storageKey, JSON.stringify([...texts])));
		return key;
	}

	/** Undefined for a key of another tab, or of long ago. */
	textOf(key: string): string | undefined {
		return key === '' ? '' : this.read().get(key);
	}

	/** Forgets all words. */
	clear(): void {
		this.texts = new Map();
		withSiteData(this.storage, (storage) => storage.removeItem(storageKey));
	}

	private read(): Map<string, string> {
		this.texts ??= withSiteData(this.storage, (storage) => new Map(JSON.parse(storage.getItem(storageKey) ?? '[]') as [string, string][])) ?? new Map();
		return this.texts;
	}
}
