import { AppError } from '../../shared/app-error';

/** The most seconds that are counted down. */
export const longestWait = 3600;

/** A server that can't take more for now, and said until when. */
export class ServerBusy extends AppError {
	/** The time from which on it can be asked again, in milliseconds since 1970. */
	readonly retryAt: number;

	/** `state` is a sentence that says so. */
	constructor(
		private readonly state: string,
		seconds: number
	) {
		super('server-busy', tellBusy(state, seconds), { retryable: true });
		this.retryAt = Date.now() + seconds * 1000;
	}

	/** The message as it is so many seconds before that time. */
	messageAt(seconds: number): string {
		return seconds > 0 ? tellBusy(this.state, seconds) : `${this.state} Try again now.`;
	}
}

/** Adds to a sentence when to try again; 0 seconds are a time that nobody knows. */
export function tellBusy(state: string, seconds: number): string {
	return `${state} Try again ${whenToRetry(seconds)}.`;
}

function whenToRetry(seconds: number): string {
	if (!(seconds > 0)) return 'in a moment';
	if (seconds > longestWait) return 'later';
	return seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`;
}
