import { AppError } from '../../shared/app-error';
import { lazy } from '../../shared/lazy';
import type { LocalModel } from '../../storage/tables/models';
import type { AnswerSource } from '../providers/answer-source';
import type { EngineInfo } from './load-model';
import type { ModelFiles, ModelSource, PartialDownload, WriteOptions } from './model-files';
import type { WllamaEngine } from './wllama-engine';

/** The device's work for its model. Sizes are in bytes; a `total` of 0 is not known. */
export type OnDeviceState =
	| { phase: 'idle' }
	| { phase: 'fetching'; url: string; name: string; received: number; total: number }
	| { phase: 'importing'; name: string; received: number; total: number }
	| { phase: 'loading'; name: string }
	| { phase: 'ready'; modelId: string; info: EngineInfo };

/** The store of model files and the engine that runs them. */
export interface Machinery {
	files: ModelFiles;
	engine: WllamaEngine;
}

/** A download: its address, and what is known of the file there. */
export type ModelAddress = Pick<ModelSource, 'url'> & Partial<ModelSource>;

/**
 * The models on this device, from an address or a file to answers: files into storage, one of them into memory. One
 * file at a time is written; whoever asks for the download under way shares it.
 */
export class OnDevice {
	private engine: WllamaEngine | undefined;
	private writing: { url: string | undefined; name: string; abort: AbortController; model: Promise<LocalModel> } | undefined;
	private progress: { received: number; total: number } = { received: 0, total: 0 };
	private loading: { model: LocalModel; done: Promise<void> } | undefined;
	private readonly listeners = new Set<() => void>();

	private readonly open: () => Promise<Machinery>;

	/** `assemble` is called when the machinery is first needed: a page that only reads does without it. What fails is tried again. */
	constructor(assemble: () => Promise<Machinery>) {
		this.open = lazy(async () => {
			const machinery = await assemble();
			this.engine = machinery.engine;
			machinery.engine.subscribe(() => this.tell());
			return machinery;
		});
	}

	get state(): OnDeviceState {
		if (this.writing) {
			const { url, name } = this.writing;
			return url === undefined ? { phase: 'importing', name, ...this.progress } : { phase: 'fetching', url, name, ...this.progress };
		}
		if (this.loading) return { phase: 'loading', name: this.loading.model.name };
		const state = this.engine?.state;
		return state?.status === 'ready' ? { phase: 'ready', modelId: state.modelId, info: state.info } : { phase: 'idle' };
	}

	/** Calls `listener` after each change of `state`, until the returned function is called. */
	subscribe(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/**
	 * Readies the model of a source to answer: fetches and loads it if need be. Throws AppErrors (`model-cancelled` if the
	 * user ended it in another place) or the abort's reason.
	 */
	async ready({ local, weights }: Pick<AnswerSource, 'local' | 'weights'>, signal: AbortSignal): Promise<{ engine: WllamaEngine; model: LocalModel }> {
		// Another download is not this turn's to stop.
		const stopFetching = () => {
			if (weights && this.writing?.url === weights.url) this.cancel();
		};
		signal.addEventListener('abort', stopFetching, { once: true });
		try {
			const model = local ?? (weights && (await this.fetch(weights)));
			if (!model) throw new AppError('model-gone', 'The model is not on this device. Choose another one.');
			await this.load(model);
			signal.throwIfAborted();
			return { engine: (await this.open()).engine, model };
		} catch (error) {
			signal.throwIfAborted();
			if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
			throw new AppError('model-cancelled', 'The model was cancelled before it could answer. Try again, or choose another one.', {
				retryable: true,
				cause: error
			});
		} finally {
			signal.removeEventListener('abort', stopFetching);
		}
	}

	/** Fetches a model, going on where an earlier fetch of the same address stopped. Throws AppErrors or the abort's reason. */
	fetch(address: ModelAddress): Promise<LocalModel> {
		if (this.writing?.url === address.url) return this.writing.model;
		if (!URL.canParse(address.url)) {
			throw new AppError('model-address', 'This is not an address. One looks like https://example.org/model.gguf.');
		}
		const source = { name: fileName(address.url), ...address };
		return this.write(source, async (options) => (await this.open()).files.download(source, options));
	}

	/** Copies a GGUF file into the browser. Throws AppErrors or the abort's reason. */
	import(file: File): Promise<LocalModel> {
		return this.write({ name: file.name, bytes: file.size }, async (options) => (await this.open()).files.import(file, options));
	}

	/** Ends what is being written. The part of a download stays, so that it can go on. */
	cancel(): void {
		this.writing?.abort.abort();
	}

	/** Returns the window that the engine runs this model with, in tokens; undefined while it is not in memory. */
	windowOf({ id }: LocalModel): number | undefined {
		const state = this.engine?.state;
		return state?.status === 'ready' && state.modelId === id ? state.info.contextWindow : undefined;
	}

	/** A model's file. Throws an AppError if it is not there. */
	async file(model: LocalModel): Promise<File> {
		return (await this.open()).files.open(model.id);
	}

	/** Brings a model into memory, unless it is there. Throws AppErrors. */
	async load(model: LocalModel): Promise<void> {
		const state = this.engine?.state;
		if (state?.status === 'ready' && state.modelId === model.id) return;
		if (this.loading?.model.id === model.id) return this.loading.done;
		const done = this.open().then(async ({ files, engine }) => void (await engine.load(model, await files.open(model.id))));
		const loading = (this.loading = { model, done });
		this.tell();
		try {
			await done;
		} finally {
			if (this.loading === loading) this.loading = undefined;
			this.tell();
		}
	}

	async remove(model: LocalModel): Promise<void> {
		const { files, engine } = await this.open();
		if (engine.state.status !== 'idle' && engine.state.modelId === model.id) engine.unload();
		await files.remove(model.id);
	}

	/** The downloads that can go on, or be discarded. Files that a crash left behind are deleted on the way. */
	async partials(): Promise<PartialDownload[]> {
		const { files } = await this.open();
		await files.list();
		return files.partials();
	}

	async discard(partial: PartialDownload): Promise<void> {
		await (await this.open()).files.discard(partial.id);
		this.tell();
	}

	private write(
		{ url, name, bytes = 0 }: { url?: string; name: string; bytes?: number },
		run: (options: WriteOptions) => Promise<LocalModel>
	): Promise<LocalModel> {
		if (this.writing) throw new AppError('model-busy', `${this.writing.name} is still being stored. Wait for it, or cancel it.`);
		const abort = new AbortController();
		this.progress = { received: 0, total: bytes };
		const model = run({
			signal: abort.signal,
			onProgress: ({ received, total = bytes }) => {
				this.progress = { received, total };
				this.tell();
			}
		}).finally(() => {
			this.writing = undefined;
			this.tell();
		});
		this.writing = { url, name, abort, model };
		this.tell();
		return model;
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}

function fileName(url: string): string {
	const { pathname, host } = new URL(url);
	return decoded(pathname.split('/').at(-1) ?? '').replace(/\.gguf$/i, '') || host;
}

/** The text without its percent codes, or as it is where a percent sign is only that. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
