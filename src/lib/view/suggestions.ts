/** Something that a new chat can begin with. */
export type Suggestion = 'model' | 'continue' | 'find' | 'restore' | 'attach' | 'prompt';

/** Number of chats from which on one looks for them rather than through them. */
const manyChats = 10;

/** Returns the three suggestions of a new chat, from what is on this device. */
export function suggestionsOf({ hasModel, chats, inWorkspace, isTemporary = false }: { hasModel: boolean; chats: number; inWorkspace: boolean; isTemporary?: boolean }): Suggestion[] {
	const all: [Suggestion, boolean][] = [
		['model', !hasModel],
		['continue', chats > 0 && !inWorkspace],
		// In a workspace it takes the place of the last chat, which may be elsewhere.
		['find', chats >= (inWorkspace ? 1 : manyChats)],
		['restore', chats === 0 && !isTemporary],
		['attach', true],
		['prompt', true]
	];
	return all.filter(([, applies]) => applies).map(([name]) => name).slice(0, 3);
}
