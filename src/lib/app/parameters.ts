import { withChanges, type ModelParameters, type ParameterChanges, type ParameterName } from '../conversation/model-parameters';
import type { AnswerSource } from '../engine/providers/answer-source';
import { readParameters } from '../storage/parameters';
import { answerProviders } from './answer-providers';
import { db, settings } from './environment';
import { sessionSettings } from './session-settings';

/** The parameters of requests: the defaults, and those of a chat. Any tab may set them. */
export const parameters = {
	/** Those of the chat's own, or the defaults where no chat is named. */
	get: async (sessionId?: string): Promise<ModelParameters> =>
		(sessionId === undefined ? await settings.get('parameters') : (await sessionSettings.get(sessionId))?.parameters) ?? {},
	/** Puts these in the place of all. Throws an AppError (`session-absent`) where the chat is gone. */
	set: async (parameters: ModelParameters, sessionId?: string): Promise<void> => {
		if (sessionId !== undefined) await sessionSettings.setParametersUnfenced(sessionId, parameters);
		else await (Object.keys(parameters).length === 0 ? settings.unset('parameters') : settings.set('parameters', parameters));
	},
	/** Changes these, and leaves the others as they are by then. Throws as `set` does. */
	change: (changes: ParameterChanges, sessionId?: string): Promise<void> =>
		sessionId === undefined
			? settings.change('parameters', (before) => withChanges(before, changes))
			: sessionSettings.changeParametersUnfenced(sessionId, changes),
	/** Those that the next answer in a chat is asked for with. */
	inForce: (sessionId: string): Promise<ModelParameters> => readParameters(db, sessionId),
	/** Names the parameters that the model of a source takes. */
	takenBy: async (source: AnswerSource): Promise<readonly ParameterName[]> => (await answerProviders.of(source)).parameters
};
