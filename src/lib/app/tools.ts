import { switched, usualMaxSteps } from '../conversation/tool-choices';
import type { AnswerSource } from '../engine/providers/answer-source';
import { readToolChoices } from '../storage/tool-choices';
import { answerProviders } from './answer-providers';
import { db, settings } from './environment';
import { sessionSettings } from './session-settings';

/** The tools that models may call: those of all chats, and of one. Any tab may set them. */
export const tools = {
	/** Names those of all chats that do not set them. */
	forAll: async (): Promise<string[]> => (await settings.get('tools')) ?? [],
	/** Names those that the model of a chat may call, or of all that make no choice where none is named. */
	inForce: async (sessionId?: string): Promise<readonly string[]> => (sessionId === undefined ? tools.forAll() : (await readToolChoices(db, sessionId)).names),
	/** Switches one or several on or off at once, and leaves the others as they are by then. Throws an AppError (`session-absent`) where the chat is gone. */
	switch: async (changed: string | readonly string[], on: boolean, sessionId?: string): Promise<void> => {
		if (sessionId === undefined) return settings.change('tools', (names = []) => switched(names, changed, on));
		const forAll = await tools.forAll();
		return sessionSettings.changeUnfenced(sessionId, (row) => ({ ...row, tools: switched(row.tools ?? forAll, changed, on) }));
	},
	/** Returns the permissions that were given once for all, in any chat or in one (tools/approvals.ts). */
	allowed: async (sessionId?: string): Promise<readonly string[]> =>
		(sessionId === undefined ? await settings.get('allowedTools') : (await sessionSettings.get(sessionId))?.allowedTools) ?? [],
	/** Gives one or several of these permissions at once, or takes them back. Throws as `switch` does. */
	allow: async (permission: string | readonly string[], on: boolean, sessionId?: string): Promise<void> => {
		if (sessionId === undefined) return settings.change('allowedTools', (names = []) => switched(names, permission, on));
		return sessionSettings.changeUnfenced(sessionId, ({ allowedTools, ...row }) => {
			const names = switched(allowedTools ?? [], permission, on);
			return names.length === 0 ? row : { ...row, allowedTools: names };
		});
	},
	/** Tells how often a model is asked in one turn at most. */
	maxSteps: async (): Promise<number> => (await settings.get('maxSteps')) ?? usualMaxSteps,
	setMaxSteps: (steps: number): Promise<void> => (steps === usualMaxSteps ? settings.unset('maxSteps') : settings.set('maxSteps', steps)),
	/** Tells whether the model of a source may be offered tools. */
	takenBy: async (source: AnswerSource): Promise<boolean> => (await answerProviders.of(source)).takesTools(source)
};
