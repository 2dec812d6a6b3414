/** The number of times that a model is asked in one turn at most, where nothing else is set: it may call tools for ever. */
export const usualMaxSteps = 25;

/** The range of that number. */
export const stepLimits = { min: 1, max: 200 };

/** Returns the names of the tools that a chat's model may call: its own choice, or that for all chats. Without either it has none. */
export function toolsInForce(forAll: readonly string[] | undefined, own: readonly string[] | undefined): readonly string[] {
	return own ?? forAll ?? [];
}

/** Returns names of tools with more of them, or less. */
export function switched(names: readonly string[], changed: string | readonly string[], on: boolean): string[] {
	const these = [changed].flat();
	const others = names.filter((other) => !these.includes(other));
	return on ? [...others, ...these] : others;
}
