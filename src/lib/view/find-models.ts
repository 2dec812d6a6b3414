import type { Fit } from '../engine/local/model-fit';
import { formatBytes } from '../shared/bytes';

/** Opens the search for models. Asks nobody. */
export async function openFinder() {
	const { modelHub: hub } = await import('../app/model-hub');
	return { hub, room: await hub.room() };
}

export type Finder = Awaited<ReturnType<typeof openFinder>>;

/** Says in a word or two whether a model fits. */
export function fitWords(fit: Fit): string {
	if (fit.fits) return 'Fits';
	if (fit.lacks === 'space') return 'No space';
	return fit.canBeTried ? 'May be too large' : 'Too large';
}

/** Says whether a model fits, and why. */
export function fitReason(fit: Fit): string {
	const words = fitWords(fit);
	if (fit.fits) return `${words}, with room for about ${fit.contextWindow.toLocaleString()} tokens`;
	const [needs, has] = [formatBytes(fit.needs), formatBytes(Math.max(0, fit.has))];
	return fit.lacks === 'memory' ? `${words}: needs about ${needs} of memory, and a tab here has about ${has}` : `${words}: needs ${needs}, and ${has} are free`;
}
