import type { AnswerSource } from '../providers/answer-source';
import type { ProvidedWindow } from '../providers/provider';

/**
 * The source of what is known of a window: the user said so, the engine runs with it, the server named it when a prompt was too long, the
 * model's file or its name tells; or it is not known.
 */
export type WindowSource = 'user' | 'engine' | 'server' | 'file' | 'name' | 'unknown';

/** Facts that are known of the model that answers next. */
export interface ModelProfile {
	/** Under which settings and what was learnt of it are kept. */
	key: string;
	name: string;
	/** Prompt and answer together, in tokens; Infinity where it is not known: a server refuses what is too long, and the next prompt is shorter. */
	window: number;
	windowFrom: WindowSource;
	/** True if it writes a summary that is worth more than one by rules. */
	canSummarise: boolean;
}

/** Facts that a provider states of a model. */
export interface Stated extends ProvidedWindow {
	canSummarise?: boolean;
}

/**
 * Tells what is known of a model. `said` are windows that the user gave, by key [A11]; `learnt` is what
 * a server named, in tokens.
 */
export function profileOf(
	source: AnswerSource | undefined,
	{ running, stated, canSummarise = false }: Stated,
	{ said = {}, learnt }: { said?: Record<string, number>; learnt?: number | undefined } = {}
): ModelProfile {
	const { key, model: name } = source ?? { key: '', model: '' };
	const known = (window: number, windowFrom: WindowSource): ModelProfile => ({ key, name, window, windowFrom, canSummarise });
	const given = said[key];
	if (given !== undefined) return known(running === undefined ? given : Math.min(given, running), 'user');
	if (running !== undefined) return known(running, 'engine');
	if (learnt !== undefined) return known(learnt, 'server');
	return stated ? known(stated.tokens, stated.from) : known(Infinity, 'unknown');
}
