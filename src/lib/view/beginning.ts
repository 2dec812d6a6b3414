import { withChanges } from '../conversation/model-parameters';
import type { StartedTurn } from '../engine/turns/turn-ports';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import type { Destination, Outgoing } from '../engine/turns/outgoing-messages';
import type { Turns } from '../engine/turns/turns';
import { source } from './source.svelte';
import { keepInTab, keptBeginning, keptInTab, keptOfWorkspace } from './tab-text';

function put(choices: ChatBeginning): void {
	source.begun = choices;
	keepInTab(keptBeginning, Object.keys(choices).length > 0 ? choices : undefined);
}

/** Choices for a new chat before its first message. They belong to the tab, as its text does. */
export const beginning = {
	get current(): ChatBeginning {
		return source.begun;
	},
	/** Takes them away, with the first message of a chat. */
	take(): ChatBeginning {
		const taken = source.begun;
		put({});
		return taken;
	},
	/** Has those that were taken again, but for those that were chosen since; what a workspace puts there was not. */
	putBack(taken: ChatBeginning): void {
		if (JSON.stringify(keptInTab(keptOfWorkspace)) === JSON.stringify(source.begun)) put(taken);
		else beginning.change({ ...taken, ...source.begun, parameters: withChanges(taken.parameters, source.begun.parameters ?? {}) });
	},
	/** Puts these in the place of all. */
	replace: put,
	/** Puts these in the place of those of that name; undefined leaves it to the default. */
	change(choices: { [N in keyof ChatBeginning]: ChatBeginning[N] | undefined }): void {
		const kept = Object.entries({ ...source.begun, ...choices }).filter(([, value]) => value !== undefined);
		put(Object.fromEntries(kept));
	}
};

/** Sends the first message of a chat, with the choices for it, which are back where it is not sent. */
export async function sendFirst(turns: Turns, outgoing: Outgoing, to: Destination): Promise<StartedTurn> {
	const begins = beginning.take();
	try {
		return await turns.send(outgoing, { ...to, begins });
	} catch (error) {
		beginning.putBack(begins);
		throw error;
	}
}
