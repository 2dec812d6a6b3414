import { AppError } from '../../shared/app-error';

/** A server that can't take more for now, and said until when. */
export class ServerBusy extends AppError {
	/** `retryAt` is that time, in milliseconds since 1970. */
	constructor(
		message: string,
		readonly retryAt: number
	) {
		super('server-busy', message, { retryable: true });
	}
}
