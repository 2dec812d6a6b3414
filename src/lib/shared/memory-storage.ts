/** Keeps texts by name as long as the page lives, in the place of local or session storage: what it holds are its own properties, as there. */
export class MemoryStorage implements Storage {
	[name: string]: unknown;

	get length(): number {
		return Object.keys(this).length;
	}

	key(index: number): string | null {
		return Object.keys(this)[index] ?? null;
	}

	getItem(name: string): string | null {
		return Object.hasOwn(this, name) ? (this[name] as string) : null;
	}

	setItem(name: string, text: string): void {
		this[name] = String(text);
	}

	removeItem(name: string): void {
		if (Object.hasOwn(this, name)) delete this[name];
	}

	clear(): void {
		for (const name of Object.keys(this)) delete this[name];
	}
}
