import { AppError } from '../../shared/app-error';

/** A prompt that was longer than the model takes. `window` is how many tokens it takes, where that was said. */
export class ContextFull extends AppError {
	constructor(
		message: string,
		readonly window: number | undefined
	) {
		super('context-full', message, { retryable: window !== undefined });
	}
}
