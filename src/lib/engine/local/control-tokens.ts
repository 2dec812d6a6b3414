const joiner = '\u200d';

/**
 * Returns a function that takes the power out of control tokens in a text: typed by a user, `<|im_end|>` must not end
 * their turn. After the first letter of each it puts a zero-width joiner, so the tokenizer no longer finds the token,
 * the model reads nearly the same letters, and a user sees no difference. Doubled or left-out letters would change
 * what the model quotes, and this engine tokenizes the whole prompt at once, so parts of it cannot be exempt.
 * Any other text comes back as it was, which keeps the cached prefix of a conversation valid. A control token of one
 * letter cannot be broken up and is left alone. A file may have a hundred thousand of them.
 */
export function controlTokenEscape(tokens: readonly string[]): (text: string) => string {
	const starts = shortestOf(tokens.filter((token) => token.length > letterAt(token, 0).length));
	const longest = starts.reduce((length, token) => Math.max(length, token.length), 0);
	return (text) => {
		let escaped = '';
		let from = 0;
		// Every place is looked at, not only the ones after a match, since tokens may overlap.
		for (let at = 0; at < text.length; ) {
			const next = at + letterAt(text, at).length;
			if (beginsWithOne(text.slice(at, at + longest), starts)) {
				escaped += text.slice(from, next) + joiner;
				from = next;
			}
			at = next;
		}
		return escaped + text.slice(from);
	};
}

function letterAt(text: string, at: number): string {
	return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Sorts tokens, and leaves out those that begin with another one: where they are, that one is too. */
function shortestOf(tokens: string[]): string[] {
	const shortest: string[] = [];
	for (const token of tokens.sort()) if (shortest.length === 0 || !token.startsWith(shortest.at(-1)!)) shortest.push(token);
	return shortest;
}

/** Tells whether a text begins with one of `tokens`, as `shortestOf` returns them: that would be the last of those that are not after it. */
function beginsWithOne(text: string, tokens: readonly string[]): boolean {
	let [low, high] = [0, tokens.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (tokens[middle]! <= text) low = middle + 1;
		else high = middle;
	}
	return low > 0 && text.startsWith(tokens[low - 1]!);
}
