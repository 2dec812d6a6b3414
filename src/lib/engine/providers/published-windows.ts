import type { AnswerSource } from './answer-source';
import type { ProvidedWindow } from './provider';

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

/** Tells the window of a model by its name, also behind a router's prefix; nothing where no maker is known to have such a one. */
export function publishedWindow({ model }: Pick<AnswerSource, 'model'>): ProvidedWindow {
	const [, tokens] = published.find(([pattern]) => pattern.test(model.replace(/^.*\//, '').toLowerCase())) ?? [];
	return tokens === undefined ? {} : { stated: { tokens, from: 'name' } };
}
