import type { LoadModelParams, Wllama } from '@wllama/wllama/esm/index.js';
import { AppError } from '../../shared/app-error';
import type { LocalModel } from '../../storage/tables/models';
import { batchTokens, contextFor, fits, leastContext, maxMemory, memoryHere } from './context-for';
import { controlTokenEscape } from './control-tokens';
import { tooLarge, unloadable } from './engine-errors';
import { EngineLog } from './engine-log';
import { fetchWasm } from './fetch-wasm';
import type { Gpu } from './find-gpu';
import { readGguf, type Gguf } from './gguf';
import { toolTemplateOf, type ToolTemplate } from './tool-template';
import { Turnstile } from './turnstile';

/** Settings that a loaded model runs with. `template` says whether its chat template came from the file or is plain ChatML. */
export interface EngineInfo {
	threads: number;
	/** In tokens, prompt and answer together. */
	contextWindow: number;
	/** True if the page is cross-origin isolated, without which there is one thread. */
	isolated: boolean;
	template: 'file' | 'chatml';
	/** The name of the graphics processor that it computes on (WebGPU); absent where the processor alone does. */
	gpu?: string;
	/** The tokens of its last answer by second, once there is one. */
	speed?: number;
}

/** A model in memory. `ended` is aborted when it leaves: whatever waits for an answer of it must not wait on. */
export interface Loaded {
	wllama: Wllama;
	model: LocalModel;
	info: EngineInfo;
	log: EngineLog;
	escape: (text: string) => string;
	/** Absent where its chat template has no tools. */
	toolTemplate: ToolTemplate | undefined;
	stop: string[];
	turnstile: Turnstile;
	ended: AbortController;
}

const chatMl =
	"{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n'}}" +
	"{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
const chatMlMarks = ['<|im_start|>', '<|im_end|>'];

/**
 * Starts wllama with `model`, whose bytes are in `file`, on as many threads and with as long a window as there can be, and on
 * `gpu` where one is given. `stallAfter` is in milliseconds. Rejects as `WllamaEngine.load` says; then nothing is left in memory.
 */
export async function loadModel(
	model: LocalModel,
	file: File,
	wasmUrl: string,
	stallAfter: number,
	signal: AbortSignal,
	gpu?: Gpu
): Promise<Loaded> {
	signal.throwIfAborted();
	const gguf = await readGguf(file);
	if (!fits(gguf, file.size, maxMemory)) throw tooLarge(model, file.size, maxMemory);
	const [{ Wllama }, wasm] = await Promise.all([import('@wllama/wllama/esm/index.js'), fetchWasm(wasmUrl, signal)]);
	signal.throwIfAborted();
	const log = new EngineLog(stallAfter);
	const moduleUrl = URL.createObjectURL(wasm);
	const wllama = new Wllama({ default: moduleUrl }, { logger: log });
	// Without this, browsers that lack JSPI or 64-bit memory would be sent to a CDN for another build.
	wllama.setCompat(null);
	const isolated = globalThis.crossOriginIsolated;
	const threads = isolated ? threadsFor(navigator.hardwareConcurrency) : 1;
	// How much memory the device has is an estimate: a model that may be too large for it is tried.
	const contextWindow = Math.max(leastContext(gguf), contextFor(gguf, file.size, memoryHere()));
	try {
		await Promise.race([
			wllama.loadModel([file], loadParams(gguf, contextWindow, threads, gpu !== undefined)),
			log.failed,
			aborted(signal)
		]);
		signal.throwIfAborted();
		// loadModel resolves on failure too; then there is no vocabulary.
		if (!(wllama.getLoadedContextInfo().n_vocab > 0)) throw unloadable(log.reason);
	} catch (error) {
		void wllama.exit();
		if (error instanceof AppError || signal.aborted) throw error;
		throw unloadable(log.reason ?? (error instanceof Error ? error.message : String(error)), error);
	} finally {
		log.expectNothing();
		URL.revokeObjectURL(moduleUrl);
	}
	const template = gguf.chatTemplate ? 'file' : 'chatml';
	return {
		wllama,
		model,
		info: { threads, contextWindow, isolated, template, ...(gpu && log.layersOnGpu > 0 ? { gpu: gpu.name } : {}) },
		log,
		escape: controlTokenEscape([...gguf.controlTokens, ...(template === 'chatml' ? chatMlMarks : [])]),
		toolTemplate: toolTemplateOf(gguf.chatTemplate),
		// A model that was not made for ChatML may write the mark as plain text.
		stop: template === 'chatml' ? chatMlMarks : [],
		turnstile: new Turnstile(),
		ended: new AbortController()
	};
}

function loadParams(gguf: Gguf, contextWindow: number, threads: number, onGpu: boolean): LoadModelParams {
	return {
		n_ctx: contextWindow,
		n_threads: threads,
		n_parallel: 1,
		...(onGpu ? onGpuParams : onCpuParams),
		warmup: false,
		...(gguf.chatTemplate ? {} : { chat_template: chatMl })
	};
}

const onCpuParams: LoadModelParams = {
	// An abort waits for the batch under way.
	n_batch: batchTokens,
	n_ubatch: batchTokens,
	// Twice as fast on a CPU as flash attention over 16-bit floats.
	flash_attn: false,
	cache_type_k: 'f32',
	cache_type_v: 'f32',
	n_gpu_layers: 0
};

/** All layers; the rest is as the engine has it by itself, which is what its makers try on graphics processors. */
const onGpuParams: LoadModelParams = { n_batch: 256, n_ubatch: 256, n_gpu_layers: 99_999 };

/** A few threads short of all: the last ones mostly wait for memory, and the page needs one. */
function threadsFor(cores: number): number {
	return cores <= 2 ? cores : Math.min(8, Math.max(2, Math.floor(cores / 2)));
}

/** Rejects with the signal's reason once it is aborted. Never resolves. */
export function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		if (signal.aborted) reject(signal.reason as Error);
		signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
	});
}
