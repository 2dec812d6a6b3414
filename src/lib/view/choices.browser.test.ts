import { expect, test, vi } from 'vitest';
import { app } from '../app';
import { importModel } from './choices';
import { isQuiet } from './under-way';

test('[P2] a model file that is imported is not broken off by a reload of Snug’s own', async () => {
	const device = await app.openOnDevice();
	const copying = Promise.withResolvers<never>();
	vi.spyOn(device, 'import').mockReturnValue(copying.promise);
	const work = importModel(new File(['GGUF'], 'tiny.gguf'));
	await expect.poll(isQuiet).toBe(false);
	copying.reject(new Error('Stopped.'));
	await expect(work).rejects.toThrow('Stopped.');
	expect(isQuiet()).toBe(true);
});
