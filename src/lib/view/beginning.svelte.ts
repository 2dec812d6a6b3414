import { withChanges } from '../conversation/model-parameters';
import type { StartedTurn } from '../engine/turns/turn-ports';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import type { Destination, Outgoing } from '../engine/turns/outgoing-messages';
import type { Turns } from '../engine/turns/turns';
import { source } from './source.svelte';
import { keepInTab, keptInTab } from './tab-text';

const keptAs = 'beginning';
let current = $state.raw<ChatBeginning>(keptInTab(keptAs) ?? {});

function put(choices: ChatBeginning): void {
	current = choices;
	keepInTab(keptAs, Object.keys(choices).length > 0 ? choices : undefined);
	source.begun = choices;
}

source.begun = current;

/** Choices for a new chat before its first message. They belong to the tab, as its text does. */
export const beginning = {
	get current(): ChatBeginning {
		return current;
	},
	/** Takes them away, with the first message of a chat. `putBack` has them again, but for those that were chosen since. */
	take(): { taken: ChatBeginning; putBack: () => void } {
		const taken = current;
		put({});
		return { taken, putBack: () => beginning.change({ ...taken, ...current, parameters: withChanges(taken.parameters, current.parameters ?? {}) }) };
	},
	/** Puts these in the place of all. */
	replace: put,
	/** Puts these in the place of those of that name; undefined leaves it to the default. */
	change(choices: { [N in keyof ChatBeginning]: ChatBeginning[N] | undefined }): void {
		const kept = Object.entries({ ...current, ...choices }).filter(([, value]) => value !== undefined);
		put(Object.fromEntries(kept));
	}
};

/** Sends the first message of a chat, with the choices for it, which are back where it is not sent. */
export async function sendFirst(turns: Turns, outgoing: Outgoing, to: Destination): Promise<StartedTurn> {
	const { taken, putBack } = beginning.take();
	try {
		return await turns.send(outgoing, { ...to, begins: taken });
	} catch (error) {
		putBack();
		throw error;
	}
}
