import { AppError } from '../../shared/app-error';

/** A refusal of a request by the server code inside wllama, as far as it is understood. */
interface Refusal {
	n_prompt_tokens?: number;
	n_ctx?: number;
}

/**
 * The logger given to wllama, which says only here what went wrong: it keeps the reason of a failure, and while a model
 * loads it notices a worker that cannot start and an engine that has gone silent.
 */
export class EngineLog {
	/** Rejects when loading cannot come to an end. Never resolves. */
	readonly failed: Promise<never>;
	refusal: Refusal | undefined;
	/** The number of layers that are on the graphics processor, as the engine says while it loads. */
	layersOnGpu = 0;
	#errors: string[] = [];
	#fail: (error: AppError) => void = () => {};
	#watch: ReturnType<typeof setTimeout> | undefined;
	#loading = true;

	constructor(private readonly stallAfter: number) {
		this.failed = new Promise((_resolve, reject) => (this.#fail = reject));
		// Nobody may be listening any more when it comes.
		this.failed.catch(() => undefined);
		this.#hear();
	}

	/** The failure in the engine's words: the line that names a cause, or else the last error line. */
	get reason(): string | undefined {
		const line = this.#errors.find((error) => error.includes('error loading model')) ?? this.#errors.at(-1);
		return line?.replace(/^.*error loading model[^:]*: /, '').replace(/(?<![.\s])[.\s]+$/, '');
	}

	/** Forgets the errors of the request before. */
	forget(): void {
		this.#errors = [];
		this.refusal = undefined;
	}

	/** From now on, silence is fine. */
	expectNothing(): void {
		this.#loading = false;
		clearTimeout(this.#watch);
	}

	// wllama takes these as functions of their own.
	readonly debug = (...said: unknown[]): void => this.#hear(said);
	readonly log = (...said: unknown[]): void => this.#hear(said);
	readonly warn = (...said: unknown[]): void => this.#hear(said);
	readonly error = (...said: unknown[]): void => {
		this.#hear(said);
		for (const item of said) {
			if (item instanceof Event) {
				this.#fail(new AppError('wasm-blocked', blocked, { cause: item }));
			} else if (typeof item === 'object' && item !== null && 'n_prompt_tokens' in item) {
				this.refusal = item as Refusal;
			} else if (typeof item === 'string' && !item.startsWith('Stack trace')) {
				this.#errors.push(item);
			}
		}
	};

	#hear(said: unknown[] = []): void {
		if (!this.#loading) return;
		for (const item of said) {
			const [, layers] = (typeof item === 'string' && /offloaded (\d+)\/\d+ layers to GPU/.exec(item)) || [];
			if (layers) this.layersOnGpu = Number(layers);
		}
		clearTimeout(this.#watch);
		this.#watch = setTimeout(
			() => this.#fail(new AppError('engine-stalled', stalled, { retryable: true })),
			this.stallAfter
		);
	}
}

const blocked =
	"The engine's worker could not start, so no model can answer here. Allow workers from blobs in the host's content " +
	'security policy, or let a server answer.';
const stalled = 'The model did not finish loading: the engine stopped responding. Try again, or reload the page.';
