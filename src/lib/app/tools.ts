import { usualMaxSteps } from '../conversation/tool-choices';
import type { AnswerSource } from '../engine/providers/answer-source';
import { answerProviders } from './answer-providers';
import { settings } from './environment';
import { sessionSettings } from './session-settings';

/** The tools that models may call: those of all chats, and of one. Any tab may set them. */
export const tools = {
	/** Names those of the chat's own; undefined where it has the choice for all chats. */
	own: async (sessionId: string): Promise<string[] | undefined> => (await sessionSettings.get(sessionId))?.tools,
	/** Names those of all chats that do not set them. */
	forAll: async (): Promise<string[]> => (await settings.get('tools')) ?? [],
	/** Sets them. Throws an AppError (`session-absent`) where the chat is gone. */
	set: (names: string[], sessionId?: string): Promise<void> =>
		sessionId !== undefined ? sessionSettings.changeUnfenced(sessionId, (row) => ({ ...row, tools: names })) : names.length === 0 ? settings.unset('tools') : settings.set('tools', names),
	/** Tells how often a model is asked in one turn at most. */
	maxSteps: async (): Promise<number> => (await settings.get('maxSteps')) ?? usualMaxSteps,
	setMaxSteps: (steps: number): Promise<void> => (steps === usualMaxSteps ? settings.unset('maxSteps') : settings.set('maxSteps', steps)),
	/** Tells whether the model of a source may be offered tools. */
	takenBy: async (source: AnswerSource): Promise<boolean> => (await answerProviders.of(source)).takesTools
};
