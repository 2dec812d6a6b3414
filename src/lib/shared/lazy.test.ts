import { describe, expect, it } from 'vitest';
import { lazy } from './lazy';

describe('lazy', () => {
	it('makes one thing for all who ask, and nothing before', async () => {
		let made = 0;
		const get = lazy(() => Promise.resolve(++made));
		expect([made, get.made]).toEqual([0, undefined]);
		expect(await Promise.all([get(), get()])).toEqual([1, 1]);
		expect(get.made).toBe(1);
	});

	it('fails for those who asked, and tries again for the next', async () => {
		let tries = 0;
		const get = lazy(() => (++tries === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(tries)));
		const [first, second] = [get(), get()];
		await expect(first).rejects.toThrow('offline');
		await expect(second).rejects.toThrow('offline');
		expect(get.made).toBeUndefined();
		expect(await get()).toBe(2);
	});
});
