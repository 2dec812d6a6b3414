import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import type { LocalModel } from '../../storage/tables/models';
import { ContextFull } from '../providers/context-full';

export function tooLarge(model: LocalModel, bytes: number, memory: number): AppError {
	const message =
		`${model.name} needs ${formatBytes(bytes)} and room for a chat, but a tab can have no more than ` +
		`${formatBytes(memory)}. Choose a smaller model or a stronger quantization.`;
	return new AppError('model-too-large', message);
}

export function unloadable(reason: string | undefined, cause?: unknown): AppError {
	const options = cause === undefined ? {} : { cause };
	if (reason && isOutOfMemory(reason)) return outOfMemory(options);
	const message = `The model could not be loaded${reason ? ` (${reason})` : ''}. Choose another file.`;
	return new AppError('model-unloadable', message, options);
}

export function crash(reason: string, cause: unknown): AppError {
	if (isOutOfMemory(reason)) return outOfMemory({ cause });
	const message = `The model stopped working (${reason}). Send again to reload it.`;
	return new AppError('engine-crashed', message, { retryable: true, cause });
}

function outOfMemory(options: { cause?: unknown }): AppError {
	const message =
		'This tab does not have enough memory for the model. Close other tabs and try again, or choose a smaller model.';
	return new AppError('out-of-memory', message, { retryable: true, ...options });
}

function isOutOfMemory(reason: string): boolean {
	return /out of memory|cannot allocate|failed to allocate|bad_alloc|OOM|memory access/i.test(reason);
}

export function contextFull(prompt: number, window: number): ContextFull {
	const message = `Too long: ${prompt} tokens, and the model takes ${window}. Compact the chat, or choose a model with a longer context.`;
	return new ContextFull(message, undefined);
}

export function answerFailed(error: Error): AppError {
	return new AppError('answer-failed', `The model could not answer (${error.message}). Try again.`, {
		retryable: true,
		cause: error
	});
}

export function unloaded(): AppError {
	const message = 'The model was taken out of memory while it was answering. Try again to reload it.';
	return new AppError('model-unloaded', message, { retryable: true });
}
