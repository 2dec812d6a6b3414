/** State of the browser’s own model: it can be used at once, once it is fetched, while that goes on, or not at all. */
export type Availability = 'available' | 'downloadable' | 'downloading' | 'unavailable';

/** A message, as the Prompt API takes it. A system message comes first, and only in `initialPrompts`. */
export interface BrowserMessage {
	role: 'system' | 'user' | 'assistant';
	content: string;
}

/** A conversation with the browser's own model, as the Prompt API has it, as far as Snug needs it. Sizes are in tokens. */
export interface BrowserSession {
	readonly contextUsage: number;
	readonly contextWindow: number;
	measureContextUsage(input: BrowserMessage[]): Promise<number>;
	promptStreaming(input: BrowserMessage[], options: { signal?: AbortSignal }): ReadableStream<string>;
	destroy(): void;
}

interface CreateOptions {
	initialPrompts?: BrowserMessage[];
	signal?: AbortSignal;
	/** Is given what tells of the download of the model; its events have `loaded`, from 0 to 1. */
	monitor?: (monitor: EventTarget) => void;
}

/** The Prompt API, <https://webmachinelearning.github.io/prompt-api/>. */
export interface BrowserModel {
	availability(): Promise<Availability>;
	create(options: CreateOptions): Promise<BrowserSession>;
}

/** Returns the Prompt API of this browser; undefined where it has none. */
export function browserModel(): BrowserModel | undefined {
	return (globalThis as { LanguageModel?: BrowserModel }).LanguageModel;
}
