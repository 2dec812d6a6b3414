import type { ChatCompletionChunk } from '@wllama/wllama/esm/index.js';
import { AppError } from '../../shared/app-error';
import type { LocalModel } from '../../storage/tables/models';
import { answerFailed, contextFull, crash, unloaded } from './engine-errors';
import type { Gpu } from './find-gpu';
import { aborted, loadModel, type EngineInfo, type Loaded } from './load-model';
import { ToolCallReader, type AnswerPiece } from './tool-calls';
import { textParameters, toEngineMessage, toolOptions, type ChatMessage, type OfferedTool } from './tool-template';

export type EngineState =
	| { status: 'idle' }
	| { status: 'loading'; modelId: string }
	| { status: 'ready'; modelId: string; info: EngineInfo }
	| { status: 'failed'; modelId: string; error: unknown };

/** Sampling options; what is absent is left to the engine. `maxTokens` limits the answer, which the window limits anyway. */
export interface AnswerOptions {
	signal?: AbortSignal;
	maxTokens?: number;
	temperature?: number;
	topP?: number;
	topK?: number;
	presencePenalty?: number;
	frequencyPenalty?: number;
	seed?: number;
	stop?: string[];
	/** Tools that the model may call. A model whose template has none is not told of them. */
	tools?: readonly OfferedTool[];
}

/** Token counts of one answer: `cachedTokens` of the prompt were still in memory from the turn before. Speeds are per second. */
export interface AnswerCounts {
	inputTokens: number;
	cachedTokens: number;
	outputTokens: number;
	prefillSpeed: number;
	decodeSpeed: number;
}

export type AnswerEvent =
	| AnswerPiece
	| { type: 'reasoning'; delta: string }
	| { type: 'end'; reason: string; counts: AnswerCounts };

/** The fewest tokens of an answer whose speed is told. */
const minMeasured = 8;

/** Failures to load that the processor alone may not have. */
const mayBeOfGpu = ['model-unloadable', 'out-of-memory', 'engine-stalled'];

/**
 * Runs one model at a time on this device, through wllama. `wasmUrl` is where wllama's WebAssembly is served. `stallAfter`
 * is how many milliseconds the engine may be silent while it loads before that counts as a failure. `findGpu` finds the graphics
 * processor to compute on, if any; one that has failed is not used again.
 */
export class WllamaEngine {
	#state: EngineState = { status: 'idle' };
	#loaded: Loaded | undefined;
	#loading: AbortController | undefined;
	#gpuFailed = false;
	readonly #listeners = new Set<() => void>();

	constructor(
		private readonly wasmUrl: string,
		private readonly stallAfter = 60_000,
		private readonly findGpu: () => Promise<Gpu | undefined> = () => Promise.resolve(undefined)
	) {}

	get state(): EngineState {
		return this.#state;
	}

	/** Tells whether the model that is loaded may be offered tools. */
	get takesTools(): boolean {
		return this.#loaded?.toolTemplate !== undefined;
	}

	/** Calls `listener` after each change of `state`, until the returned function is called. */
	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * Loads `model` from `file`. The model before it leaves first, and a load still under way is given up.
	 * Rejects with AppErrors (`model-too-large`, `model-unloadable`, `engine-stalled`, those of `readGguf` and `fetchWasm`)
	 * or, when aborted, with the signal's reason.
	 */
	async load(model: LocalModel, file: File, { signal }: { signal?: AbortSignal } = {}): Promise<EngineInfo> {
		this.unload();
		const loading = new AbortController();
		this.#loading = loading;
		const given = signal ? AbortSignal.any([signal, loading.signal]) : loading.signal;
		this.#become({ status: 'loading', modelId: model.id });
		try {
			const loaded = await this.#start(model, file, given);
			this.#loaded = loaded;
			this.#become({ status: 'ready', modelId: model.id, info: loaded.info });
			return loaded.info;
		} catch (error) {
			if (!loading.signal.aborted) {
				this.#become(signal?.aborted ? { status: 'idle' } : { status: 'failed', modelId: model.id, error });
			}
			throw error;
		} finally {
			if (this.#loading === loading) this.#loading = undefined;
		}
	}

	/** Loads on the graphics processor where there is one, and else, or where that fails, on the processor alone. */
	async #start(model: LocalModel, file: File, signal: AbortSignal): Promise<Loaded> {
		const load = (gpu?: Gpu) => loadModel(model, file, this.wasmUrl, this.stallAfter, signal, gpu);
		const gpu = this.#gpuFailed ? undefined : await this.findGpu();
		if (!gpu) return load();
		try {
			return await load(gpu);
		} catch (error) {
			if (signal.aborted || !(error instanceof AppError && mayBeOfGpu.includes(error.code))) throw error;
			const loaded = await load();
			this.#gpuFailed = true;
			return loaded;
		}
	}

	/** Frees the model's memory. A load under way ends with an AbortError, an answer with AppError `model-unloaded`. */
	unload(): void {
		this.#loading?.abort(new DOMException('The model was unloaded.', 'AbortError'));
		this.#loading = undefined;
		if (this.#loaded) end(this.#loaded, unloaded());
		this.#loaded = undefined;
		this.#become({ status: 'idle' });
	}

	/**
	 * Answers a conversation, after the answers asked for before. Sending the whole history again is cheap: what begins as
	 * the last prompt did is still in memory. Throws AppErrors (`model-not-loaded`, `context-full`, `engine-crashed`,
	 * `out-of-memory`, `answer-failed`) or, when aborted, the signal's reason.
	 */
	async *answer(messages: ChatMessage[], options: AnswerOptions = {}): AsyncGenerator<AnswerEvent> {
		const loaded = this.#loaded;
		if (!loaded)
			throw new AppError('model-not-loaded', 'No model is loaded. Load one, then send again.', {
				retryable: true
			});
		const finished = new AbortController();
		const signal = AbortSignal.any([
			loaded.ended.signal,
			finished.signal,
			...(options.signal ? [options.signal] : [])
		]);
		const leave = await loaded.turnstile.enter(signal);
		loaded.log.forget();
		const { toolTemplate } = loaded;
		const calls = toolTemplate && options.tools?.length ? new ToolCallReader(toolTemplate.format, textParameters(options.tools)) : undefined;
		const chunks: ChatCompletionChunk[] = [];
		let wake = () => {};
		let settled: { error?: unknown } | undefined;
		const run = complete(loaded, messages, options, signal, (chunk) => {
			chunks.push(chunk);
			wake();
		});
		void run
			.then(
				() => (settled = {}),
				(error: unknown) => (settled = { error })
			)
			.finally(() => wake());
		// After an abort the engine works on until its batch is done; only then may the next request come.
		void settledOr(run, loaded.ended.signal).then(leave);
		signal.addEventListener('abort', () => wake());
		try {
			for await (const event of readAnswer(async () => {
				while (chunks.length === 0 && !settled && !signal.aborted)
					await new Promise<void>((resolve) => (wake = resolve));
				signal.throwIfAborted();
				if (chunks.length === 0 && settled && 'error' in settled) throw this.#explain(settled.error, loaded);
				return chunks.shift();
			}, calls)) {
				if (event.type === 'end') this.#measured(loaded, event.counts);
				yield event;
			}
		} finally {
			finished.abort();
		}
	}

	/** The error to show for what wllama threw. A crash takes the model with it, so that the next load starts clean. */
	#explain(error: unknown, loaded: Loaded): unknown {
		const refused = loaded.log.refusal;
		if (refused?.n_prompt_tokens && refused.n_ctx) return contextFull(refused.n_prompt_tokens, refused.n_ctx);
		const crashed = !(error instanceof Error) || error.name === 'RuntimeError';
		if (!crashed) return answerFailed(error);
		if (loaded.info.gpu) this.#gpuFailed = true;
		if (this.#loaded === loaded) this.unload();
		return crash(loaded.log.reason ?? (error instanceof Error ? error.message : String(error)), error);
	}

	#measured(loaded: Loaded, { outputTokens, decodeSpeed }: AnswerCounts): void {
		// The speed of a few tokens says little.
		if (this.#loaded !== loaded || outputTokens < minMeasured || !Number.isFinite(decodeSpeed)) return;
		loaded.info = { ...loaded.info, speed: decodeSpeed };
		this.#become({ status: 'ready', modelId: loaded.model.id, info: loaded.info });
	}

	#become(state: EngineState): void {
		if (state.status === 'idle' && this.#state.status === 'idle') return;
		this.#state = state;
		for (const listener of [...this.#listeners]) listener();
	}
}

async function complete(
	loaded: Loaded,
	messages: ChatMessage[],
	options: AnswerOptions,
	signal: AbortSignal,
	onData: (chunk: ChatCompletionChunk) => void
): Promise<void> {
	const { escape, toolTemplate } = loaded;
	const stop = [...loaded.stop, ...(options.stop ?? [])];
	// wllama's types lack what it passes on to the server code inside: `stop` and `stream_options`.
	const passedOn = { ...(stop.length > 0 ? { stop } : {}), stream_options: { include_usage: true } };
	await loaded.wllama.createChatCompletion({
		messages: messages.map((message) => toEngineMessage(message, toolTemplate, escape)),
		...(toolTemplate && options.tools?.length ? toolOptions(options.tools, toolTemplate, escape) : {}),
		stream: true,
		cache_prompt: true,
		abortSignal: signal,
		max_tokens: options.maxTokens ?? -1,
		...(options.temperature === undefined ? {} : { temperature: options.temperature }),
		...(options.topP === undefined ? {} : { top_p: options.topP }),
		...(options.topK === undefined ? {} : { top_k: options.topK }),
		...(options.seed === undefined ? {} : { seed: options.seed }),
		...(options.presencePenalty === undefined ? {} : { presence_penalty: options.presencePenalty }),
		...(options.frequencyPenalty === undefined ? {} : { frequency_penalty: options.frequencyPenalty }),
		...passedOn,
		onData
	});
}

async function* readAnswer(next: () => Promise<ChatCompletionChunk | undefined>, calls: ToolCallReader | undefined): AsyncGenerator<AnswerEvent> {
	let reason = 'other';
	let counts: AnswerCounts | undefined;
	for (let chunk = await next(); chunk; chunk = await next()) {
		const [choice] = chunk.choices;
		// llama.cpp's own extension, for templates with a thinking part.
		const delta: { content?: string | null; reasoning_content?: string | null } = choice?.delta ?? {};
		if (delta.reasoning_content) yield { type: 'reasoning', delta: delta.reasoning_content };
		if (delta.content) yield* calls?.push(delta.content) ?? [{ type: 'text' as const, delta: delta.content }];
		if (choice?.finish_reason) reason = choice.finish_reason;
		if (chunk.timings) {
			const { cache_n, prompt_n, predicted_n, prompt_per_second, predicted_per_second } = chunk.timings;
			counts = {
				inputTokens: cache_n + prompt_n,
				cachedTokens: cache_n,
				outputTokens: predicted_n,
				prefillSpeed: prompt_per_second,
				decodeSpeed: predicted_per_second
			};
		}
	}
	yield* calls?.end() ?? [];
	if (!counts) throw new Error('The engine ended an answer without its token counts.');
	yield { type: 'end', reason, counts };
}

function end(loaded: Loaded, reason: unknown): void {
	loaded.ended.abort(reason);
	void loaded.wllama.exit();
}

/** Resolves when `run` has settled, or when the model has left and it never will. */
function settledOr(run: Promise<void>, ended: AbortSignal): Promise<unknown> {
	return Promise.race([run.catch(() => undefined), aborted(ended).catch(() => undefined)]);
}
