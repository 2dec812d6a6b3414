import { expect, it } from 'vitest';
import { AppError } from './app-error';

it('carries its sentence, its code and its cause', () => {
	const cause = new Error('ECONNREFUSED');
	const message = 'The server does not answer. Start it, then try again.';
	const error = new AppError('server-down', message, { retryable: true, cause });
	expect(error).toBeInstanceOf(Error);
	expect(error).toMatchObject({ name: 'AppError', code: 'server-down', message, retryable: true, cause });
});

it('is not retryable unless it says so, and has no cause unless it is given one', () => {
	const error = new AppError('no-source', 'No model is chosen yet.');
	expect(error.retryable).toBe(false);
	expect('cause' in error).toBe(false);
});
