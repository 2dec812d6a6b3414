import { AppError } from './app-error';

/** An AppError as a message to another tab or thread has it: classes do not get there. */
export type PlainError = Pick<AppError, 'code' | 'message' | 'retryable'>;

/** Returns what a message can have of an error. */
export function toPlainError({ code, message, retryable }: AppError): PlainError {
	return { code, message, retryable };
}

/** Returns the error that a message tells of. */
export function fromPlainError({ code, message, retryable }: PlainError): AppError {
	return new AppError(code, message, { retryable });
}
