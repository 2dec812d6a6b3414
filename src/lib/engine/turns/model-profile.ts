import { largestContext } from '../local/context-for';
import type { AnswerSource } from '../providers/answer-source';

/**
 * How a window is known: the person said so, the engine runs with it, the server named it when a prompt was too long, the
 * model's file or its name tells; or it is assumed.
 */
export type WindowSource = 'person' | 'engine' | 'server' | 'file' | 'name' | 'assumed';

/** What is known of the model that answers next. */
export interface ModelProfile {
	/** Under which settings and what was learnt of it are kept. */
	key: string;
	name: string;
	/** Prompt and answer together, in tokens. */
	window: number;
	windowFrom: WindowSource;
}

/** What is taken for the window of a model of which nothing is known: servers refuse what is too long, and then say how long. */
export const assumedWindow = 32_768;

/** The windows that makers publish for their models, in tokens; the first that fits the name counts. */
const published: [RegExp, number][] = [
	[/^gpt-4\.1/, 1_047_576],
	[/^gpt-5/, 400_000],
	[/^o[134]\b/, 200_000],
	[/^(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-oss)/, 128_000],
	[/^gpt-4/, 8192],
	[/^gpt-3\.5-turbo/, 16_385],
	[/^claude-/, 200_000],
	[/^gemini-/, 1_048_576]
];

/** What the settings and what was learnt are kept under: a model of a server, or one on this device; '' for none. */
export function modelKey(source: AnswerSource): string {
	if (source.kind === 'none') return '';
	return `${source.kind === 'server' ? source.provider.id : 'on-device'}/${modelName(source)}`;
}

/** What the model is called; '' for none. */
export function modelName(source: AnswerSource): string {
	switch (source.kind) {
		case 'server':
			return source.model;
		case 'on-device':
			return source.model.name;
		case 'default-weights':
			return source.weights.name;
		case 'none':
			return '';
	}
}

/** `said` are windows that the person gave, by key [A11]; `running` is the engine's, `learnt` the server's, in tokens. */
export function profileOf(
	source: AnswerSource,
	{ said = {}, running, learnt }: { said?: Record<string, number>; running?: number | undefined; learnt?: number | undefined }
): ModelProfile {
	const key = modelKey(source);
	const name = modelName(source);
	const known = (window: number, windowFrom: WindowSource): ModelProfile => ({ key, name, window, windowFrom });
	const given = said[key];
	if (given !== undefined) return known(running === undefined ? given : Math.min(given, running), 'person');
	if (running !== undefined) return known(running, 'engine');
	if (learnt !== undefined) return known(learnt, 'server');
	if (source.kind === 'on-device') return known(Math.min(source.model.contextLength, largestContext), 'file');
	if (source.kind === 'default-weights') return known(largestContext, 'file');
	const [, window] = published.find(([pattern]) => pattern.test(name.replace(/^.*\//, '').toLowerCase())) ?? [];
	return window === undefined ? known(assumedWindow, 'assumed') : known(window, 'name');
}
