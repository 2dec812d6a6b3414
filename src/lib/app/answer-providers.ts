import { ProviderRegistry } from '../engine/providers/registry';
import { pageReach } from '../engine/providers/server-reach';
import { models, providers } from './environment';
import { onDevice } from './on-device';

/** The ways to have answers, over what is stored here and the engine on this device. */
export const answerProviders = new ProviderRegistry({
	keyOf: (serverId) => providers.keyOf(serverId),
	reach: pageReach(),
	device: onDevice,
	models
});
