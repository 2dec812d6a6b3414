/**
 * The one error class that people meet. `message` is a whole sentence, or two, that says what happened and what to do;
 * it is shown as it is. `code` is stable and kebab-case (`server-down`, `disk-full`), for tests and for branching.
 * `retryable` says that the same action may succeed when simply tried again. Bugs are not AppErrors: they throw as they are.
 */
export class AppError extends Error {
	readonly code: string;
	readonly retryable: boolean;

	constructor(code: string, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.name = 'AppError';
		this.code = code;
		this.retryable = options.retryable ?? false;
	}
}
