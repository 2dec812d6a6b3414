import { ConnectionFailure, send, textOf, type Egress } from '../../shared/egress';
import { lazy } from '../../shared/lazy';
import type { Clock } from '../../shared/clock';

/** The model that this host offers beside the app. `url` is absolute; `bytes` is its size; the hash is lower-case hex. */
export interface DefaultWeights {
	name: string;
	bytes: number;
	sha256?: string;
	url: string;
}

/**
 * Asks the host that served the app at `base` (its URL, with a trailing slash) for the model it offers, by
 * `weights/manifest.json`. A host without one answers null, 404 or a page of its own: all of these mean undefined. Throws
 * ConnectionFailure where no answer comes in a few seconds.
 */
export async function findDefaultWeights(base: string, egress?: Egress): Promise<DefaultWeights | undefined> {
	let manifest: unknown;
	const response = await send('model-offer', new URL('weights/manifest.json', base), { cache: 'no-store' }, egress);
	if (!response.ok || !response.headers.get('content-type')?.includes('json')) return undefined;
	try {
		manifest = JSON.parse(await textOf(response));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return undefined;
	}
	return isManifest(manifest)
		? {
				name: manifest.name,
				bytes: manifest.bytes,
				...(manifest.sha256 ? { sha256: manifest.sha256 } : {}),
				url: new URL(manifest.url, base).href
			}
		: undefined;
}

/** Time for which a host that did not answer is taken for one that offers nothing, in milliseconds. */
const silentForMs = 30_000;

/** Returns a function that finds the host's weights as `findDefaultWeights` does, and asks once; a silent host offers nothing, and is asked again later. */
export function askOnce(base: string, clock: Clock, egress?: Egress): () => Promise<DefaultWeights | undefined> {
	const find = lazy(() => findDefaultWeights(base, egress));
	let isSilentUntil = 0;
	return async () => {
		if (clock() < isSilentUntil) return undefined;
		try {
			return await find();
		} catch (error) {
			if (!(error instanceof ConnectionFailure)) throw error;
			isSilentUntil = clock() + silentForMs;
			return undefined;
		}
	};
}

function isManifest(value: unknown): value is { name: string; bytes: number; sha256: string | null; url: string } {
	if (typeof value !== 'object' || value === null) return false;
	const { name, bytes, sha256, url } = value as Record<string, unknown>;
	return (
		typeof name === 'string' &&
		typeof bytes === 'number' &&
		typeof url === 'string' &&
		URL.canParse(url, 'http://localhost/') &&
		/^https?:$/.test(new URL(url, 'http://localhost/').protocol) &&
		bytes > 0 &&
		(typeof sha256 === 'string' || sha256 == null)
	);
}
