import type { surface } from './scripting/surface';

type Surface = typeof surface;

/**
 * The scripting surface: `window.snug` in the browser's console [A15, R9]. It is there from the first moment, and loaded by the
 * first call: all of its functions resolve with what they return.
 */
export const scripting = deferred([]) as unknown as Surface;

function deferred(path: string[]): () => void {
	return new Proxy(() => undefined, {
		// One that had a `then` would be taken for a promise.
		get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : deferred([...path, name])),
		apply: async (_, __, given: unknown[]) => call(await loaded(), path, given)
	});
}

async function loaded(): Promise<Surface> {
	const { surface } = await import('./scripting/surface');
	// From now on the console lists what there is.
	window.snug = surface;
	return surface;
}

function call(surface: object, path: string[], given: unknown[]): unknown {
	const owner = path.slice(0, -1).reduce<unknown>((object, name) => (object as Record<string, unknown> | undefined)?.[name], surface);
	const method = (owner as Record<string, unknown> | undefined)?.[path.at(-1) ?? ''];
	if (typeof method !== 'function') throw new TypeError(`snug.${path.join('.')} is not a function.`);
	return method.apply(owner, given);
}

declare global {
	interface Window {
		snug: Surface;
	}
}
