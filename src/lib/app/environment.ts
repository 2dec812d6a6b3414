import { resolveAnswerSource, type AnswerSource } from '../engine/providers/answer-source';
import { systemClock } from '../shared/clock';
import { lazy } from '../shared/lazy';
import { Database } from '../storage/database';
import { Models } from '../storage/models';
import { Providers } from '../storage/providers';
import { Sessions } from '../storage/sessions';
import { Settings } from '../storage/settings';
import { UseMark } from '../storage/use-mark';

// The concrete things that the files of this room share. Each exists once a page.

export const clock = systemClock;
export const db = new Database();
export const sessions = new Sessions(db);
export const settings = new Settings(db);
export const providers = new Providers(db);
export const models = new Models(db);
export const useMark = new UseMark(() => localStorage);

const weights = lazy(async () =>
	(await import('../engine/local/default-weights')).askOnce(new URL(import.meta.env.BASE_URL, location.href).href, clock)
);

/** The weights that the host offers beside this copy of the app; asked for once, unless the host is silent. */
export const defaultWeights = async () => (await weights())();

/** Resolves where the next answer comes from; undefined where nothing is chosen, nor at hand. */
export async function answerSource(): Promise<AnswerSource | undefined> {
	const [chosen, here, servers] = await Promise.all([settings.get('source'), models.list(), providers.list()]);
	const known = resolveAnswerSource(chosen, here, servers, undefined);
	// The host may be slow or silent, so it is asked only where there is nothing else.
	return known ?? resolveAnswerSource(chosen, here, servers, await defaultWeights());
}
