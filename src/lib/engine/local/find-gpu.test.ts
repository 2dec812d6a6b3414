import { expect, it } from 'vitest';
import { findGpu, type GpuPorts } from './find-gpu';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

function browser({ features = ['shader-f16'], info = { vendor: 'apple', architecture: 'metal-3', description: '', isFallbackAdapter: false }, ...others }: { features?: string[]; info?: Partial<GPUAdapterInfo> } & Partial<GpuPorts> = {}): GpuPorts {
	const adapter = { features: new Set(features), info } as unknown as GPUAdapter;
	return { gpu: { requestAdapter: () => Promise.resolve(adapter) }, userAgent: chrome, canSuspend: true, ...others };
}

it('[P1] a graphics processor is used where the engine can compute with it', async () => {
	expect(await findGpu(browser())).toEqual({ name: 'apple metal-3' });
	expect(await findGpu(browser({ info: { description: 'Apple M5' } }))).toEqual({ name: 'Apple M5' });
	expect(await findGpu(browser({ info: {} }))).toEqual({ name: 'graphics processor' });
});

it('[P1] no graphics processor is used that is missing, emulated, or can’t do what the engine needs', async () => {
	for (const ports of [
		browser({ gpu: undefined }),
		browser({ canSuspend: false }),
		browser({ userAgent: firefox }),
		browser({ features: [] }),
		browser({ info: { vendor: 'google', architecture: 'swiftshader', isFallbackAdapter: true } }),
		browser({ gpu: { requestAdapter: () => Promise.resolve(null) } }),
		browser({ gpu: { requestAdapter: () => Promise.reject(new Error('lost')) } })
	])
		expect(await findGpu(ports)).toBeUndefined();
});
