import type { AnswerSource } from '../providers/answer-source';
import type { ProvidedWindow } from '../providers/provider';

/**
 * The source of what is known of a window: the user said so, the engine runs with it, the server named it when a prompt was too long, the
 * model's file or its name tells; or it is assumed.
 */
export type WindowSource = 'user' | 'engine' | 'server' | 'file' | 'name' | 'assumed';

/** Facts that are known of the model that answers next. */
export interface ModelProfile {
	/** Under which settings and what was learnt of it are kept. */
	key: string;
	name: string;
	/** Prompt and answer together, in tokens. */
	window: number;
	windowFrom: WindowSource;
}

/** The window that is assumed of a model of which nothing is known: servers refuse what is too long, and then say how long. */
export const assumedWindow = 32_768;

/**
 * Tells what is known of a model; of none, its window is assumed. `said` are windows that the user gave, by key [A11]; `learnt` is what
 * a server named, in tokens.
 */
export function profileOf(
	source: AnswerSource | undefined,
	{ running, stated }: ProvidedWindow,
	{ said = {}, learnt }: { said?: Record<string, number>; learnt?: number | undefined } = {}
): ModelProfile {
	const { key, model: name } = source ?? { key: '', model: '' };
	const known = (window: number, windowFrom: WindowSource): ModelProfile => ({ key, name, window, windowFrom });
	const given = said[key];
	if (given !== undefined) return known(running === undefined ? given : Math.min(given, running), 'user');
	if (running !== undefined) return known(running, 'engine');
	if (learnt !== undefined) return known(learnt, 'server');
	return stated ? known(stated.tokens, stated.from) : known(assumedWindow, 'assumed');
}
