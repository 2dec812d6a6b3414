import { AppError } from '../../shared/app-error';

/**
 * Makes sure that the engine's WebAssembly can start: the browser allows and knows it, and `url` answers with it. Needed
 * since the engine itself never says when its module does not arrive.
 * Throws AppErrors: `wasm-blocked`, `wasm-outdated`, `wasm-missing` (retryable).
 */
export async function checkWasm(url: string, signal?: AbortSignal): Promise<void> {
	checkAllowed();
	checkMemory64();
	await checkReachable(url, signal);
}

const emptyModule = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

function checkAllowed(): void {
	try {
		new WebAssembly.Module(emptyModule);
	} catch (cause) {
		const message =
			'This page may not run WebAssembly, so no model can answer here. Allow it in the browser or in the ' +
			"host's content security policy ('wasm-unsafe-eval'), or let a server answer.";
		throw new AppError('wasm-blocked', message, { cause });
	}
}

function checkMemory64(): void {
	try {
		// The type that TypeScript knows lacks the 64-bit form.
		const descriptor = { address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor;
		new WebAssembly.Memory(descriptor);
	} catch (cause) {
		const message =
			'This browser lacks the 64-bit WebAssembly that models need. Use a current Chrome, Edge or Firefox, or let a ' +
			'server answer.';
		throw new AppError('wasm-outdated', message, { cause });
	}
}

/** Reads only the first bytes: the engine fetches the file again itself, then from the cache. */
async function checkReachable(url: string, signal?: AbortSignal): Promise<void> {
	let start: Uint8Array | undefined;
	try {
		const response = await fetch(url, signal ? { signal } : {});
		const reader = response.ok ? response.body?.getReader() : undefined;
		start = (await reader?.read())?.value;
		await reader?.cancel();
	} catch (cause) {
		signal?.throwIfAborted();
		throw missing(cause);
	}
	if (!start || !emptyModule.subarray(0, 4).every((byte, at) => start[at] === byte)) throw missing();
}

function missing(cause?: unknown): AppError {
	const message = 'The engine for models on this device could not be fetched. Go online and try again.';
	return new AppError('wasm-missing', message, { retryable: true, ...(cause === undefined ? {} : { cause }) });
}
