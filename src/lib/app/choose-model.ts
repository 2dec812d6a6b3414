import { AppError } from '../shared/app-error';
import { models, providers, settings } from './environment';

/** A model that answers can come from: one on this device, or one of a server's. */
export type ModelChoice = { modelId: string } | { providerId: string; model: string };

/** Has answers come from this model from now on. Throws an AppError (`model-absent`) for what is not there. */
export async function chooseModel(choice: ModelChoice): Promise<void> {
	const isOnDevice = 'modelId' in choice;
	const isKnown = isOnDevice ? await models.get(choice.modelId) : (await providers.list()).some(({ id }) => id === choice.providerId);
	if (!isKnown) throw new AppError('model-absent', 'There is no such model or server here.');
	await settings.set('source', isOnDevice ? { kind: 'on-device', modelId: choice.modelId } : { kind: 'server', ...choice });
}
