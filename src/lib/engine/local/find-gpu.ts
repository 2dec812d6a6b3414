/** A graphics processor that the engine can use, by the name that the browser gives it. */
export interface Gpu {
	name: string;
}

/** Circumstances that a browser offers WebGPU in: those of the page, unless a test has others. */
export interface GpuPorts {
	gpu: Pick<GPU, 'requestAdapter'> | undefined;
	userAgent: string;
	/** True if WebAssembly can wait for a promise (JSPI), as the engine does for the graphics processor. */
	canSuspend: boolean;
}

function portsOfPage(): GpuPorts {
	const { gpu, userAgent } = navigator as Partial<Navigator> & Pick<Navigator, 'userAgent'>;
	return { gpu, userAgent, canSuspend: 'Suspending' in WebAssembly };
}

/**
 * Finds the graphics processor that the engine computes with where it may. It needs 16-bit floats in shaders; one that is only
 * emulated is slower than the processor itself; and Firefox's WebGPU gives llama.cpp wrong numbers.
 */
export async function findGpu({ gpu, userAgent, canSuspend }: GpuPorts = portsOfPage()): Promise<Gpu | undefined> {
	if (!gpu || !canSuspend || /\bFirefox\//.test(userAgent)) return undefined;
	const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
	if (!adapter || adapter.info.isFallbackAdapter || !adapter.features.has('shader-f16')) return undefined;
	const { description, vendor, architecture } = adapter.info;
	return { name: description || [vendor, architecture].filter(Boolean).join(' ') || 'graphics processor' };
}
