const [newline, carriageReturn, quote, backslash, colon, comma, bracket, brace] = Array.from('\n\r"\\:,[{', (character) => character.charCodeAt(0));

/**
 * Counts what JSON has in it while its bytes come: names of fields, and values, of which a list and an object count twice. Of several texts each begins on a
 * line of its own, as in a stream of events.
 */
export class JsonCounter {
	names = 0;
	values = 0;
	private isText = false;
	private isEscaped = false;

	take(byte: number): void {
		// No text of JSON goes beyond its line.
		if (byte === newline || byte === carriageReturn) this.isText = this.isEscaped = false;
		else if (this.isEscaped) this.isEscaped = false;
		else if (byte === backslash) this.isEscaped = true;
		else if (byte === quote) this.isText = !this.isText;
		else if (this.isText) return;
		else if (byte === colon) this.names++;
		else if (byte === comma || byte === bracket || byte === brace) this.values++;
	}
}
