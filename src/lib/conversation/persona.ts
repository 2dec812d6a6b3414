/** The most characters of a persona's name. */
export const maxPersonaName = 60;

/** Name that stands for none, wherever a persona is chosen. */
export const noPersona = 'None';

/** Tells whether a name would be read as that for none, also in letters of another width. */
export function isNoPersona(name: string): boolean {
	return name.normalize('NFKC').toLowerCase() === noPersona.toLowerCase();
}

/** Returns a name that none of those has: this one, or with the first number that makes it new. */
export function nameBeside(name: string, taken: ReadonlySet<string>): string {
	for (let count = 1; ; count++) {
		const end = count === 1 ? '' : ` ${count}`;
		const free = name.slice(0, maxPersonaName - end.length).trimEnd() + end;
		if (!taken.has(free)) return free;
	}
}
