import type { Conversation } from './conversation.svelte';

/** The chat on the screen, and what the pieces that show it can be asked to do. */
export interface OpenChat {
	conversation: Conversation;
	/** Tells whether it can be changed from this tab now. */
	changeable: boolean;
	rename: () => void;
	find: () => void;
}

let current = $state.raw<OpenChat | undefined>();

export const openChat = {
	/** Undefined where there is none, or where it can't be read. */
	get current(): OpenChat | undefined {
		return current;
	},
	/** Says that it is on the screen. Returns what says that it is no longer. */
	show(chat: OpenChat): () => void {
		current = chat;
		return () => {
			if (current === chat) current = undefined;
		};
	}
};
