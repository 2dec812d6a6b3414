import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { AnswerSource } from '../engine/providers/answer-source';
import { AppError } from '../shared/app-error';
import { lazy } from '../shared/lazy';
import { answerProviders } from './answer-providers';
import { clock, db } from './environment';

/** The planner of what the model is sent. Loaded when something is sent, or looked into. */
export const openPlanner = lazy(async () => {
	const [{ ContextPlanner }, { TokenCounts }, { openToolbox }] = await Promise.all([
		import('../engine/turns/context-planner'),
		import('../engine/tokens/token-counts'),
		import('./toolbox')
	]);
	return new ContextPlanner({
		db,
		clock,
		counts: new TokenCounts(),
		providers: answerProviders,
		openToolbox
	});
});

/** Opens the model of a source for a turn. Throws AppErrors, or the signal's reason. */
export async function openModel(source: AnswerSource | undefined, signal: AbortSignal): Promise<LanguageModelV4> {
	return answerProviders.open(chosen(source), signal);
}

/** Returns the source. Throws an AppError (`no-source`) where there is none. */
export function chosen(source: AnswerSource | undefined): AnswerSource {
	if (source) return source;
	throw new AppError('no-source', 'No model is chosen yet. Choose one first.');
}
