import { resolveChatSource, type AnswerSource } from '../engine/providers/answer-source';
import type { Source } from '../storage/tables/source';
import { db, defaultWeights, models, providers, settings } from './environment';

/** Resolves where the next answer of a chat, or of a new one that `begins` with a model, comes from; undefined where nothing is chosen, nor at hand. */
export async function answerSource(sessionId?: string, begins?: Source): Promise<AnswerSource | undefined> {
	const [own, chosen, here, servers] = await Promise.all([
		sessionId === undefined ? { source: begins } : db.sessionSettings.get(sessionId),
		settings.get('source'),
		models.list(),
		providers.list()
	]);
	const sources = { chosen, models: here, servers };
	const known = resolveChatSource(own?.source, { ...sources, weights: undefined });
	// The host may be slow or silent, so it is asked only where there is nothing else.
	return known ?? resolveChatSource(own?.source, { ...sources, weights: await defaultWeights() });
}
