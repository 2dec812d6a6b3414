import type { Source } from '../../storage/tables/source';
import type { AnswerSource } from './answer-source';

/** Returns how rows name a source; undefined for weights that are not on this device yet. */
export function sourceOf({ server, local, weights, model }: AnswerSource): Source | undefined {
	if (server) return { kind: 'server', providerId: server.id, model };
	if (local) return { kind: 'on-device', modelId: local.id };
	return weights ? undefined : { kind: 'browser' };
}
