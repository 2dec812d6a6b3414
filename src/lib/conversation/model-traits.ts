/** Abilities of a model, as its server tells them. Servers differ in how they say it, and most say nothing. */
export interface ModelTraits {
	/** The longest that it takes, prompt and answer together, in tokens. */
	context?: number;
	/** True if it takes pictures. */
	images?: true;
	/** True if it calls tools. */
	tools?: true;
	/** True if it can reason before it answers. */
	reasoning?: true;
	/** The price of a million tokens of a prompt and of an answer, in US dollars. */
	price?: { input: number; output: number };
}

type Entry = Record<string, unknown>;

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Entry => (isEntry(value) ? value : {});
const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.slice(0, 50).filter((name) => typeof name === 'string') : Object.entries(fieldsOf(value)).flatMap(([name, has]) => (has === true ? [name] : [])));

/** The most tokens, and the most dollars for a million of them, that are believed. */
const maxContext = 100_000_000;
const maxPrice = 1_000_000;

/** Reads a window in tokens; undefined for what can be none. */
export function windowOf(value: unknown): Pick<ModelTraits, 'context'> {
	return Number.isInteger(value) && (value as number) > 0 && (value as number) <= maxContext ? { context: value as number } : {};
}

/** Reads prices of one token, which OpenRouter writes as texts. A router that chooses a model has a negative one. */
function priceOf(pricing: unknown): ModelTraits['price'] {
	const { prompt, completion } = fieldsOf(pricing);
	const [input = -1, output = -1] = [prompt, completion].map((usd) => (typeof usd === 'string' && usd !== '' ? Number((Number(usd) * 1e6).toPrecision(6)) : -1));
	return [input, output].every((usd) => usd >= 0 && usd <= maxPrice) ? { input, output } : undefined;
}

/**
 * Reads what an entry of a list of models says beside its id, in the ways of OpenRouter (`context_length`, `architecture.input_modalities`,
 * `supported_parameters`, `pricing`), vLLM (`max_model_len`), LM Studio (`max_context_length`, `type: 'vlm'`, `capabilities`), llama.cpp (`meta.n_ctx_train`,
 * `capabilities`) and Mistral (`max_context_length`, `capabilities: { vision: true }`).
 */
export function traitsOf(entry: unknown): ModelTraits {
	const { context_length, max_model_len, max_context_length, meta, architecture, type, capabilities, supported_parameters, pricing } = fieldsOf(entry);
	const window = [context_length, max_model_len, max_context_length, fieldsOf(meta).n_ctx_train].map(windowOf).find(({ context }) => context !== undefined);
	const named = [...namesIn(capabilities), ...namesIn(supported_parameters)];
	const images = type === 'vlm' || namesIn(fieldsOf(architecture).input_modalities).includes('image') || ['vision', 'multimodal'].some((name) => named.includes(name));
	const tools = ['tools', 'tool_use', 'function_calling'].some((name) => named.includes(name));
	const reasoning = ['reasoning', 'thinking'].some((name) => named.includes(name));
	const price = priceOf(pricing);
	return { ...window, ...(images && { images }), ...(tools && { tools }), ...(reasoning && { reasoning }), ...(price && { price }) };
}

/** Writes traits as the row of a list keeps them; undefined where nothing is said. */
export function toWords({ context, images, tools, reasoning, price }: ModelTraits): string | undefined {
	const cost = price && `$${price.input}/${price.output}`;
	return [context, images && 'images', tools && 'tools', reasoning && 'reasoning', cost].filter(Boolean).join(' ') || undefined;
}

/** Reads what `toWords` has written. */
export function fromWords(words: string): ModelTraits {
	const all = words.split(' ');
	const context = Number(all.find((word) => /^\d+$/.test(word)));
	const [input = NaN, output = NaN] = all.find((word) => word.startsWith('$'))?.slice(1).split('/').map(Number) ?? [];
	return {
		...(context > 0 && { context }),
		...(all.includes('images') && { images: true as const }),
		...(all.includes('tools') && { tools: true as const }),
		...(all.includes('reasoning') && { reasoning: true as const }),
		...(input >= 0 && output >= 0 && { price: { input, output } })
	};
}
