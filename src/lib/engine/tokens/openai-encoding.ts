/** An encoding of OpenAI's models, which cuts texts into tokens. */
export type OpenAiEncoding = 'o200k_base' | 'cl100k_base';

/** Newest first: what a name begins with, after the maker's prefix that gateways put before it. */
const encodings: [RegExp, OpenAiEncoding][] = [
	[/^(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|gpt-oss|chatgpt-|o[134](-|$))/, 'o200k_base'],
	[/^(gpt-4|gpt-3\.5)/, 'cl100k_base']
];

/** The encoding of a model of OpenAI's, by its name; undefined for the models of others. */
export function openAiEncoding(model: string): OpenAiEncoding | undefined {
	const name = model.toLowerCase().replace(/^openai\//, '');
	return encodings.find(([pattern]) => pattern.test(name))?.[1];
}
