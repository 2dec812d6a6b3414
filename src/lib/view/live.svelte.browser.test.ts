import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { AppError } from '../shared/app-error';
import { Live } from './live.svelte';

/** Follows a query as a screen does. */
function followed<Rows, T>(live: Live<Rows, T>): { end: () => void } {
	return {
		end: $effect.root(() => {
			$effect(() => void live.current);
		})
	};
}

it('tells why a result could not be made of what was read, and forgets that once one can be', async () => {
	let isBroken = true;
	const live = new Live(
		() => Promise.resolve(2),
		(row) => (isBroken ? Promise.reject(new AppError('offline', 'The part did not arrive.')) : Promise.resolve(row * 2))
	);
	const { end } = followed(live);
	flushSync();
	await vi.waitFor(() => expect(live.failure?.message).toContain('did not arrive'));
	expect([live.loading, live.current]).toEqual([false, undefined]);

	isBroken = false;
	live.ask(() => Promise.resolve(3));
	await vi.waitFor(() => expect(live.current).toBe(6));
	expect(live.failure).toBeUndefined();

	isBroken = true;
	live.finishAgain();
	await vi.waitFor(() => expect(live.failure).toBeDefined());
	expect(live.current).toBe(6);
	isBroken = false;
	live.finishAgain();
	await vi.waitFor(() => expect(live.failure).toBeUndefined());
	end();
});
