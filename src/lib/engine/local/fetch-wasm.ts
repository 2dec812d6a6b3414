import { AppError } from '../../shared/app-error';
import { send } from '../../shared/egress';

/**
 * The engine's WebAssembly from `url`, once it is sure that the browser allows and knows it. Fetched whole and here, since
 * the engine itself never says when its module does not arrive, and since Firefox now and then leaves a worker waiting
 * for ever for a large answer from a service worker's cache.
 * Throws AppErrors: `wasm-blocked`, `wasm-outdated`, `wasm-missing` (retryable).
 */
export async function fetchWasm(url: string, signal?: AbortSignal): Promise<Blob> {
	checkAllowed();
	checkMemory64();
	return fetchModule(url, signal);
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

async function fetchModule(url: string, signal?: AbortSignal): Promise<Blob> {
	let bytes: Uint8Array<ArrayBuffer>;
	try {
		const response = await send('app-file', new URL(url, location.href), signal ? { signal } : {});
		if (!response.ok) throw new Error(`status ${response.status}`);
		bytes = new Uint8Array(await response.arrayBuffer());
	} catch (cause) {
		signal?.throwIfAborted();
		throw missing(cause);
	}
	if (!emptyModule.subarray(0, 4).every((byte, at) => bytes[at] === byte)) throw missing();
	return new Blob([bytes], { type: 'application/wasm' });
}

function missing(cause?: unknown): AppError {
	const message = 'The engine for models on this device could not be fetched. Go online and try again.';
	return new AppError('wasm-missing', message, { retryable: true, ...(cause === undefined ? {} : { cause }) });
}
