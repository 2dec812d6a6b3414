/** A model to begin with: a repository that is known, and about what its file is that is downloaded most. */
export interface FirstModel {
	name: string;
	repository: string;
	/** About, in bytes. */
	bytes: number;
	license: string;
	about: string;
}

/** Good first models, the smallest first. Said here, so that showing them asks nobody. */
export const firstModels: readonly FirstModel[] = [
	{ name: 'SmolLM2 360M', repository: 'bartowski/SmolLM2-360M-Instruct-GGUF', bytes: 271e6, license: 'apache-2.0', about: 'Quick on any device, for short questions in English.' },
	{ name: 'Gemma 3 1B', repository: 'ggml-org/gemma-3-1b-it-GGUF', bytes: 806e6, license: 'gemma', about: 'Good for its size, in many languages.' },
	{ name: 'Llama 3.2 1B', repository: 'bartowski/Llama-3.2-1B-Instruct-GGUF', bytes: 808e6, license: 'llama3.2', about: 'For summaries and rewriting.' },
	{ name: 'Qwen3 1.7B', repository: 'unsloth/Qwen3-1.7B-GGUF', bytes: 1.11e9, license: 'apache-2.0', about: 'Thinks before it answers, which takes a while.' },
	{ name: 'Qwen2.5 1.5B', repository: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF', bytes: 1.12e9, license: 'apache-2.0', about: 'For facts, code and many languages.' },
	{ name: 'SmolLM3 3B', repository: 'ggml-org/SmolLM3-3B-GGUF', bytes: 1.92e9, license: 'apache-2.0', about: 'For longer texts, on a computer with several cores.' },
	{ name: 'Llama 3.2 3B', repository: 'bartowski/Llama-3.2-3B-Instruct-GGUF', bytes: 2.02e9, license: 'llama3.2', about: 'An all-rounder, on a computer with several cores.' },
	{ name: 'Qwen3 4B', repository: 'unsloth/Qwen3-4B-Instruct-2507-GGUF', bytes: 2.5e9, license: 'apache-2.0', about: 'The best of these, and the slowest.' }
];
