import { AppError } from '../shared/app-error';

/** An AppError for a file that the browser can't read, as after it was moved. */
export function unreadableFile(cause: unknown): AppError {
	return new AppError('file-unreadable', 'This file can’t be read: it was moved or changed, or it is a folder. Choose it again.', { cause });
}
