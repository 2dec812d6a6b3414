/** The most characters of a persona's name. */
export const maxPersonaName = 60;

/** Name that stands for none, wherever a persona is chosen. */
export const noPersona = 'None';

/** Tells whether a name would be read as that for none, also in letters of another width. */
export function isNoPersona(name: string): boolean {
	return name.normalize('NFKC').toLowerCase() === noPersona.toLowerCase();
}
