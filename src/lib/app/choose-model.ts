import { atServer, hasBrowserModel, inBrowser, onThisDevice, type AnswerSource } from '../engine/providers/answer-source';
import { AppError } from '../shared/app-error';
import type { Source } from '../storage/tables/source';
import { models, providers, settings } from './environment';
import { sessionSettings } from './session-settings';

/** A model that answers can come from: one on this device, one of a server's, or the browser's own. */
export type ModelChoice = { modelId: string } | { providerId: string; model: string } | { inBrowser: true };

/** Returns how rows name the model of a choice. */
export function sourceRowOf(choice: ModelChoice): Source {
	if ('inBrowser' in choice) return { kind: 'browser' };
	return 'modelId' in choice ? { kind: 'on-device', modelId: choice.modelId } : { kind: 'server', providerId: choice.providerId, model: choice.model };
}

/** Describes a model that answers can come from. Throws an AppError (`model-absent`) where it is not there. */
export async function sourceOfChoice(choice: ModelChoice): Promise<AnswerSource> {
	if ('modelId' in choice) {
		const local = await models.get(choice.modelId);
		if (local) return onThisDevice({ local });
	} else if ('inBrowser' in choice) {
		if (hasBrowserModel()) return inBrowser();
	} else {
		const server = (await providers.list()).find(({ id }) => id === choice.providerId);
		if (server) return atServer(server, choice.model);
	}
	throw new AppError('model-absent', 'There is no such model or server here.');
}

/**
 * Has answers come from this model from now on: in the chat that is named, or in new ones and those that have none of their own. Throws an AppError
 * (`model-absent`, `session-absent`) for what is not there.
 */
export async function chooseModel(choice: ModelChoice, { sessionId }: { sessionId?: string | undefined } = {}): Promise<void> {
	await sourceOfChoice(choice);
	const source = sourceRowOf(choice);
	if (sessionId !== undefined) await sessionSettings.setSourceUnfenced(sessionId, source);
	// The first that is chosen is for all.
	if (sessionId === undefined || !(await settings.get('source'))) await settings.set('source', source);
}
