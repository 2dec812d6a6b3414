/** Abilities of a model, as its server tells them. Servers differ in how they say it, and most say nothing. */
export interface ModelTraits {
	/** The longest that it takes, prompt and answer together, in tokens. */
	context?: number;
	/** True if it takes pictures. */
	images?: true;
	/** True if it calls tools. */
	tools?: true;
}

type Entry = Record<string, unknown>;

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Entry => (isEntry(value) ? value : {});
const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.slice(0, 50).filter((name) => typeof name === 'string') : Object.entries(fieldsOf(value)).flatMap(([name, has]) => (has === true ? [name] : [])));

/** The most tokens that are believed. */
const maxContext = 100_000_000;

/**
 * Reads what an entry of a list of models says beside its id, in the ways of OpenRouter (`context_length`, `architecture.input_modalities`,
 * `supported_parameters`), vLLM (`max_model_len`), LM Studio (`max_context_length`, `type: 'vlm'`, `capabilities`), llama.cpp (`meta.n_ctx_train`,
 * `capabilities`) and Mistral (`max_context_length`, `capabilities: { vision: true }`).
 */
export function traitsOf(entry: unknown): ModelTraits {
	const { context_length, max_model_len, max_context_length, meta, architecture, type, capabilities, supported_parameters } = fieldsOf(entry);
	const context = [context_length, max_model_len, max_context_length, fieldsOf(meta).n_ctx_train].find(
		(tokens): tokens is number => Number.isInteger(tokens) && (tokens as number) > 0 && (tokens as number) <= maxContext
	);
	const named = [...namesIn(capabilities), ...namesIn(supported_parameters)];
	const images = type === 'vlm' || namesIn(fieldsOf(architecture).input_modalities).includes('image') || ['vision', 'multimodal'].some((name) => named.includes(name));
	const tools = ['tools', 'tool_use', 'function_calling'].some((name) => named.includes(name));
	return { ...(context !== undefined && { context }), ...(images && { images }), ...(tools && { tools }) };
}

/** Writes traits as the row of a list keeps them; undefined where nothing is said. */
export function toWords({ context, images, tools }: ModelTraits): string | undefined {
	return [context, images && 'images', tools && 'tools'].filter(Boolean).join(' ') || undefined;
}

/** Reads what `toWords` has written. */
export function fromWords(words: string): ModelTraits {
	const all = words.split(' ');
	const context = Number(all.find((word) => /^\d+$/.test(word)));
	return { ...(context > 0 && { context }), ...(all.includes('images') && { images: true as const }), ...(all.includes('tools') && { tools: true as const }) };
}
