import { expect, onTestFinished, test, vi } from 'vitest';
import { conversations } from '../app/conversations';
import { AppError } from '../shared/app-error';
import { newId } from '../shared/id';
import { Writing } from './writing.svelte';

const refused = new AppError('disk-full', 'There is no space left.', { retryable: true });

function openWriting(id: string): Writing {
	const writing = new Writing(id);
	onTestFinished(() => writing.close());
	return writing;
}

test('[A5] a chat that could not be opened is asked for again', async () => {
	const opening = vi.spyOn(conversations.writers, 'open').mockRejectedValueOnce(refused);
	onTestFinished(() => opening.mockRestore());
	const writing = openWriting(newId());
	await expect.poll(() => writing.state, { timeout: 20_000 }).toBe('writing');
	expect(opening).toHaveBeenCalledTimes(2);
});

test('[A5] a chat that could not be inherited is waited for again', async () => {
	const id = newId();
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	await new Promise<void>((granted) => {
		void navigator.locks.request(`session:${id}`, () => {
			granted();
			return held;
		});
	});
	const waiting = vi.spyOn(conversations.writers, 'openWhenFree').mockRejectedValueOnce(refused);
	onTestFinished(() => waiting.mockRestore());
	const writing = openWriting(id);
	await expect.poll(() => writing.state).toBe('reading');
	release();
	await expect.poll(() => writing.state, { timeout: 20_000 }).toBe('writing');
	expect(waiting).toHaveBeenCalledTimes(2);
});
