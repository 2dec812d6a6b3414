/** The texts that an action is found by. */
export interface Named {
	label: string;
	/** Other words for it. */
	also?: string;
	/** The name of its slash command. */
	command?: string;
}

/**
 * Tells how well typed text names an action: well where its label or its command begins so, fairly where each word is in the
 * label or among the other words for it, or where the letters are those that the label’s words begin with; else not.
 */
export function matchOf(text: string, { label, also = '', command }: Named): 'well' | 'fairly' | undefined {
	const typed = text.trim().toLowerCase();
	const name = label.toLowerCase();
	const slash = command === undefined ? undefined : `/${command}`;
	if (typed.startsWith('/')) return slash?.startsWith(typed) ? 'well' : undefined;
	if (name.startsWith(typed) || slash?.startsWith(`/${typed}`)) return 'well';
	if (typed.length < 2) return undefined;
	const initials = wordsOf(name).map(([first]) => first).join('');
	const words = `${name} ${also.toLowerCase()}`;
	return wordsOf(typed).every((word) => words.includes(word)) || initials.startsWith(typed) ? 'fairly' : undefined;
}

function wordsOf(text: string): string[] {
	return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
