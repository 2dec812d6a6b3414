/** The UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
	const units = new Uint16Array(text.length);
	for (let index = 0; index < units.length; index++) units[index] = text.charCodeAt(index);
	return units;
}
