import type { Fit, Room } from '../engine/local/model-fit';
import { formatBytes } from '../shared/bytes';
import { freeSpace } from './choices';

/** Opens the search for models. Asks nobody. */
export async function openFinder() {
	const { modelHub: hub } = await import('../app/model-hub');
	const room: Room = { memory: hub.memory(), space: await freeSpace() };
	return { hub, room };
}

export type Finder = Awaited<ReturnType<typeof openFinder>>;

/** Says whether a model fits, and why, in a few words. */
export function fitWords(fit: Fit): string {
	if (fit.fits) return `Fits, with room for about ${fit.contextWindow.toLocaleString()} tokens`;
	const [needs, has] = [formatBytes(fit.needs), formatBytes(Math.max(0, fit.has))];
	return fit.lacks === 'memory' ? `${fit.canBeTried ? 'May be too large' : 'Too large'}: needs about ${needs} of memory, and a tab here has about ${has}` : `No space: needs ${needs}, and ${has} are free`;
}
