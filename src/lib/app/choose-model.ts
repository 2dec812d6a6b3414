import { AppError } from '../shared/app-error';
import type { Source } from '../storage/tables/source';
import { models, providers, settings } from './environment';
import { sessionSettings } from './session-settings';

/** A model that answers can come from: one on this device, or one of a server's. */
export type ModelChoice = { modelId: string } | { providerId: string; model: string };

/**
 * Has answers come from this model from now on: in the chat that is named, or in new ones and those that have none of their own. Throws an AppError
 * (`model-absent`, `session-absent`) for what is not there.
 */
export async function chooseModel(choice: ModelChoice, { sessionId }: { sessionId?: string | undefined } = {}): Promise<void> {
	const isOnDevice = 'modelId' in choice;
	const isKnown = isOnDevice ? await models.get(choice.modelId) : (await providers.list()).some(({ id }) => id === choice.providerId);
	if (!isKnown) throw new AppError('model-absent', 'There is no such model or server here.');
	const source: Source = isOnDevice ? { kind: 'on-device', modelId: choice.modelId } : { kind: 'server', ...choice };
	if (sessionId !== undefined) await sessionSettings.setSourceUnfenced(sessionId, source);
	// The first that is chosen is for all.
	if (sessionId === undefined || !(await settings.get('source'))) await settings.set('source', source);
}
