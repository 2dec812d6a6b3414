import { AppError } from '../../shared/app-error';

/**
 * A prompt that was longer than the model takes. `window` is how many tokens that are, `'less'` where the server did not say, undefined
 * where nothing is to be learnt of it.
 */
export class ContextFull extends AppError {
	constructor(
		message: string,
		readonly window: number | 'less' | undefined
	) {
		super('context-full', message, { retryable: window !== undefined });
	}
}
