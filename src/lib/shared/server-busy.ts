import { AppError } from './app-error';

/** A server that can't take more for now, and said until when. The message is stored, and read later: it has no time that passes. */
export class ServerBusy extends AppError {
	/** `retryAt` is the time from which on it can be asked again, in milliseconds since 1970. */
	constructor(
		message: string,
		readonly retryAt: number
	) {
		super('server-busy', message, { retryable: true });
	}
}
