import type { LocalModel } from '../../storage/tables/models';
import type { Provider } from '../../storage/tables/providers';
import type { Source } from '../../storage/tables/settings';
import type { DefaultWeights } from '../local/default-weights';

/** Where the next answer comes from, with all that is known of it. */
export type AnswerSource =
	| { kind: 'on-device'; model: LocalModel }
	| { kind: 'server'; provider: Provider; model: string }
	/** Not on this device yet, but at hand: fetched when first needed. */
	| { kind: 'default-weights'; weights: DefaultWeights }
	| { kind: 'none' };

/**
 * What the person chose, if it is still there; otherwise the newest model on this device; otherwise the weights that
 * came with this copy of the app; otherwise nothing, and the person is asked.
 */
export function resolveAnswerSource(
	chosen: Source | undefined,
	models: LocalModel[],
	providers: Provider[],
	weights: DefaultWeights | undefined
): AnswerSource {
	if (chosen?.kind === 'server') {
		const provider = providers.find(({ id }) => id === chosen.providerId);
		if (provider) return { kind: 'server', provider, model: chosen.model };
	}
	const model = (chosen?.kind === 'on-device' && models.find(({ id }) => id === chosen.modelId)) || models.at(-1);
	if (model) return { kind: 'on-device', model };
	if (weights) return { kind: 'default-weights', weights };
	return { kind: 'none' };
}
