import { withSiteData } from '../shared/site-data';

/** The most texts that are remembered. */
const most = 300;

/** As much of a text as is remembered; what is longer is refused anyway. */
const longest = 2_000;

const item = 'search-words';

/**
 * The words of searches, each under a key that says nothing of them: an address has the key, since addresses get into the browser's history
 * and the logs of hosts. They are kept for as long as the tab: going back and reloading find them.
 */
export class KeptWords {
	private texts: Map<string, string> | undefined;

	constructor(private readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {}

	keyOf(text: string): string {
		const kept = text.slice(0, longest);
		if (kept === '') return '';
		const texts = this.read();
		for (const [key, other] of texts) if (other === kept) return key;
		const key = crypto.randomUUID().slice(0, 13);
		texts.set(key, kept);
		for (const oldest of texts.keys()) if (texts.size > most) texts.delete(oldest);
		// Without room or permission, they are kept until the page is loaded again.
		withSiteData(this.storage, (storage) => storage.setItem(item, JSON.stringify([...texts])));
		return key;
	}

	/** Undefined for a key of another tab, or of long ago. */
	textOf(key: string): string | undefined {
		return key === '' ? '' : this.read().get(key);
	}

	/** Forgets all words. */
	clear(): void {
		this.texts = new Map();
		withSiteData(this.storage, (storage) => storage.removeItem(item));
	}

	private read(): Map<string, string> {
		this.texts ??= withSiteData(this.storage, (storage) => new Map(JSON.parse(storage.getItem(item) ?? '[]') as [string, string][])) ?? new Map();
		return this.texts;
	}
}
