const joiner = '\u200d';

/**
 * Returns a function that takes the power out of control tokens in a text: typed by a user, `<|im_end|>` must not end
 * their turn. After the first letter of each it puts a zero-width joiner, so the tokenizer no longer finds the token,
 * the model reads nearly the same letters, and a user sees no difference. Doubled or left-out letters would change
 * what the model quotes, and this engine tokenizes the whole prompt at once, so parts of it cannot be exempt.
 * Any other text comes back as it was, which keeps the cached prefix of a conversation valid. A control token of one
 * letter cannot be broken up and is left alone.
 */
export function controlTokenEscape(tokens: readonly string[]): (text: string) => string {
	const byStart = new Map<string, string[]>();
	for (const token of tokens) {
		const [first = ''] = token;
		if (token.length > first.length) byStart.set(first, [...(byStart.get(first) ?? []), token]);
	}
	return (text) => {
		if (!tokens.some((token) => text.includes(token))) return text;
		let escaped = '';
		let at = 0;
		// Every place is looked at, not only the ones after a match, since tokens may overlap.
		for (const letter of text) {
			escaped += letter;
			if (byStart.get(letter)?.some((token) => text.startsWith(token, at))) escaped += joiner;
			at += letter.length;
		}
		return escaped;
	};
}
