import { AppError } from '../../shared/app-error';
import type { Clock } from '../../shared/clock';
import type { Models } from '../../storage/models';
import type { LocalModel } from '../../storage/tables/models';
import type { DownloadNote } from './download-model';
import { requireModelSpace } from './model-space';
import { readGguf } from './gguf';
import type { ModelJob, ModelJobEvent, ModelNote } from './model-job';
import { modelName } from './model-name';
import type { Progress } from './model-writer';

export interface ModelFilesPorts {
	table: Pick<Models, 'list' | 'get' | 'put' | 'remove'>;
	storage: StorageManager;
	locks: LockManager;
	clock: Clock;
	newId: () => string;
	/** Starts `model-files-worker.ts`. */
	createWorker: () => Worker;
}

export interface WriteOptions {
	signal?: AbortSignal;
	/** Called about ten times a second at most. */
	onProgress?: (progress: Progress) => void;
}

/** A model to fetch. `bytes` and `sha256` (lower-case hex) are checked where they are given. */
export type ModelSource = Pick<DownloadNote, 'name' | 'url' | 'bytes' | 'sha256'>;

/** A download that stopped before its end. `received` and `total` are bytes. */
export interface PartialDownload extends ModelSource {
	id: string;
	received: number;
	total?: number;
}

/**
 * The models' files in the origin private file system: `models/<id>.gguf`, beside a row in the table; while one is being
 * written, `<id>.part`, and until the row is written `<id>.json`, which says what it is. Only one tab at a time writes a file;
 * another one gets AppError `model-busy`.
 */
export class ModelFiles {
	constructor(private readonly ports: ModelFilesPorts) {}

	/**
	 * Copies a GGUF file of the user's. Nothing is copied that is no usable model or does not fit. A file that is here
	 * already is not kept twice. Rejects with AppErrors (those of `readGguf`, `disk-full`) or the signal's reason; then nothing is left.
	 */
	async import(file: File, options: WriteOptions = {}): Promise<LocalModel> {
		const name = file.name.replace(/\.gguf$/i, '');
		await readGguf(file);
		await requireModelSpace(this.ports.storage, file.size, name);
		const id = this.ports.newId();
		return this.#alone(id, async () => {
			try {
				const written = await this.#write({ type: 'copy', id, name, file }, options);
				return await this.#keep(id, name, written.sha256);
			} catch (error) {
				await this.#drop(id);
				throw error;
			}
		});
	}

	/**
	 * Downloads a model, going on from the part that a cancel, a crash or a reload left of the same address. Cancelling
	 * rejects with the signal's reason and keeps the part, and so do retryable AppErrors; others delete it (see `downloadModel`).
	 */
	async download(source: ModelSource, options: WriteOptions = {}): Promise<LocalModel> {
		return this.#alone(`download of ${source.url}`, async () => {
			const here = source.sha256 && (await this.#whole(source.sha256));
			if (here) return here;
			const part = (await this.partials()).find(({ url }) => url === source.url);
			const id = part?.id ?? this.ports.newId();
			const note: DownloadNote = { ...(part && (await this.#note(id))), ...source };
			return this.#alone(id, async () => {
				try {
					const written = await this.#write({ type: 'download', id, name: source.name, note }, options);
					return await this.#keep(id, source.name, written.sha256, source.url);
				} catch (error) {
					if (error instanceof AppError && !error.retryable) await this.#drop(id);
					throw error;
				}
			});
		});
	}

	/** The models on this device, oldest first. What a crash left behind is deleted on the way, but a whole file whose row it came before. */
	async list(): Promise<LocalModel[]> {
		await this.#clean();
		return this.ports.table.list();
	}

	/** The downloads that can go on, or be discarded. Those that another tab is working on are among them. */
	async partials(): Promise<PartialDownload[]> {
		const found: PartialDownload[] = [];
		for (const file of await this.#names()) {
			const id = idOf(file);
			const note = file.endsWith('.part') ? await this.#note(id) : undefined;
			if (note?.url === undefined) continue;
			const { name, url, bytes, sha256, total = bytes } = note;
			const received = (await this.#file(file))?.size ?? 0;
			found.push({ id, name, url, received, ...defined({ bytes, sha256, total }) });
		}
		return found;
	}

	/** Deletes the part of a download. */
	discard(id: string): Promise<void> {
		return this.#alone(id, () => this.#drop(id));
	}

	/** The file of a model. Rejects with AppError `model-gone` where there is none. */
	async open(id: string): Promise<File> {
		const file = await this.#file(`${id}.gguf`);
		if (!file)
			throw new AppError(
				'model-gone',
				'The file of this model is gone from the browser. Remove the model and get it again.'
			);
		return file;
	}

	/** Deletes a model. The row goes first: what is left after a crash in between is cleaned up. */
	remove(id: string): Promise<void> {
		return this.#alone(id, async () => {
			await this.ports.table.remove(id);
			await this.#delete(`${id}.gguf`);
		});
	}

	/** Makes a whole, checked part a model: the file gets its name, the row is written, and the note, by which a crash between the two is made good, goes last. */
	async #keep(id: string, name: string, sha256: string, url?: string): Promise<LocalModel> {
		const same = await this.#whole(sha256);
		if (same) {
			await this.#drop(id);
			return same;
		}
		const folder = await this.#folder();
		const part = (await folder.getFileHandle(`${id}.part`)) as FileSystemFileHandle & {
			move(name: string): Promise<void>;
		};
		await part.move(`${id}.gguf`);
		return this.#addRow(id, name, sha256, url);
	}

	async #addRow(id: string, name: string, sha256: string, url?: string): Promise<LocalModel> {
		const file = await this.open(id);
		const gguf = await readGguf(file);
		const model: LocalModel = {
			id,
			name: modelName(name),
			fileName: name,
			bytes: file.size,
			sha256,
			architecture: gguf.architecture,
			contextLength: gguf.contextLength,
			hasChatTemplate: gguf.chatTemplate !== undefined,
			...(url === undefined ? {} : { url }),
			createdAt: this.ports.clock()
		};
		await this.ports.table.put(model);
		await this.#delete(`${id}.json`);
		return model;
	}

	/**
	 * Writes the row of a file that a crash came before, by the note beside it; its hash is not computed again. Tells whether it did: a file
	 * without a note is one whose removal was broken off.
	 */
	async #addMissingRow(id: string): Promise<boolean> {
		const note = await this.#note(id);
		if (note?.found === undefined || (await this.#whole(note.found))) return false;
		try {
			await this.#addRow(id, note.name, note.found, note.url);
			return true;
		} catch (error) {
			if (error instanceof AppError) return false;
			throw error;
		}
	}

	/** The model with this hash, if its file is really here. */
	async #whole(sha256: string): Promise<LocalModel | undefined> {
		const model = (await this.ports.table.list()).find((model) => model.sha256 === sha256);
		return model && (await this.#file(`${model.id}.gguf`)) ? model : undefined;
	}

	async #write(job: ModelJob, { signal, onProgress }: WriteOptions): Promise<{ bytes: number; sha256: string }> {
		// Finds out before a worker does that files are refused.
		await this.#folder();
		signal?.throwIfAborted();
		const worker = this.ports.createWorker();
		const abort = () => worker.postMessage('abort');
		return new Promise<{ bytes: number; sha256: string }>((resolve, reject) => {
			signal?.addEventListener('abort', abort);
			worker.onmessage = ({ data }: MessageEvent<ModelJobEvent>) => {
				if (data.type === 'progress') onProgress?.(data.progress);
				else if (signal?.aborted) reject(signal.reason as Error);
				else if (data.type === 'done') resolve(data);
				else if (data.code === 'bug') reject(new Error(`The model could not be written: ${data.message}`));
				else reject(new AppError(data.code, data.message, { retryable: data.retryable }));
			};
			worker.onerror = (event) => {
				reject(storageRefused(event.message));
			};
			worker.postMessage(job);
		}).finally(() => {
			signal?.removeEventListener('abort', abort);
			worker.terminate();
		});
	}

	async #clean(): Promise<void> {
		const names = await this.#names();
		if (names.length === 0) return;
		const rows = new Set((await this.ports.table.list()).map(({ id }) => id));
		for (const name of names) {
			const id = idOf(name);
			const isModel = name.endsWith('.gguf') && rows.has(id);
			const isPart =
				!name.endsWith('.gguf') &&
				!rows.has(id) &&
				names.includes(`${id}.part`) &&
				(await this.#note(id))?.url !== undefined;
			// Its file's row may be written by it.
			const isNeeded = name.endsWith('.json') && !rows.has(id) && names.includes(`${id}.gguf`);
			if (isModel || isPart || isNeeded) continue;
			await this.ports.locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
				if (!lock) return;
				// The row may have come while this was looking.
				if (name.endsWith('.gguf') && ((await this.ports.table.get(id)) || (await this.#addMissingRow(id)))) return;
				await unlessInUse(this.#delete(name));
			});
		}
	}

	async #alone<T>(what: string, run: () => Promise<T>): Promise<T> {
		return this.ports.locks.request(lockName(what), { ifAvailable: true }, (lock) => {
			if (!lock)
				throw new AppError(
					'model-busy',
					'Another tab is working on this model. Wait until it is done there, or close that tab.',
					{ retryable: true }
				);
			return run();
		});
	}

	async #drop(id: string): Promise<void> {
		await this.#delete(`${id}.part`);
		await this.#delete(`${id}.json`);
	}

	async #delete(name: string): Promise<void> {
		const folder = await this.#folder();
		await unlessMissing(folder.removeEntry(name));
	}

	async #file(name: string): Promise<File | undefined> {
		const folder = await this.#folder();
		return unlessMissing(folder.getFileHandle(name).then((handle) => handle.getFile()));
	}

	/** Undefined where there is none, or a crash has cut it short. */
	async #note(id: string): Promise<ModelNote | undefined> {
		const file = await this.#file(`${id}.json`);
		const text = file && (await unlessMissing(file.text()));
		if (!text?.endsWith('}')) return undefined;
		return JSON.parse(text) as ModelNote;
	}

	async #names(): Promise<string[]> {
		const names: string[] = [];
		for await (const name of (await this.#folder()).keys()) names.push(name);
		return names;
	}

	async #folder(): Promise<FileSystemDirectoryHandle> {
		try {
			const root = await this.ports.storage.getDirectory();
			return await root.getDirectoryHandle('models', { create: true });
		} catch (cause) {
			throw storageRefused(cause);
		}
	}
}

function storageRefused(cause: unknown): AppError {
	const message =
		'The browser does not let this page keep model files. Use a current browser, outside private mode, or let a ' +
		'server answer.';
	return new AppError('model-storage-refused', message, { cause });
}

function lockName(what: string): string {
	return `model:${what}`;
}

function idOf(fileName: string): string {
	return fileName.replace(/\.[^.]+$/, '');
}

function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
	return unless('NotFoundError', found);
}

/** For a moment after a page was closed, the browser still holds the files that it was writing. */
function unlessInUse(deleted: Promise<void>): Promise<void> {
	return unless('NoModificationAllowedError', deleted);
}

async function unless<T>(name: string, done: Promise<T>): Promise<T | undefined> {
	try {
		return await done;
	} catch (error) {
		if (error instanceof DOMException && error.name === name) return undefined;
		throw error;
	}
}

/** The same without its undefined values, which exact optional properties refuse. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
		[K in keyof T]?: Exclude<T[K], undefined>;
	};
}
