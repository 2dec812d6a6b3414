/** The number of times that a model is asked in one turn at most, where nothing else is set: it may call tools for ever. */
export const usualMaxSteps = 25;

/** The range of that number. */
export const stepLimits = { min: 1, max: 200 };

/** Returns the names of the tools that a chat's model may call: its own choice, or that for all chats. Without either it has none. */
export function toolsInForce(forAll: readonly string[] | undefined, own: readonly string[] | undefined): readonly string[] {
	return own ?? forAll ?? [];
}

/** Returns names of tools with one more, or less. */
export function switched(names: readonly string[], name: string, on: boolean): string[] {
	const others = names.filter((other) => other !== name);
	return on ? [...others, name] : others;
}
