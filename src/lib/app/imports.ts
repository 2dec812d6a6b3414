import type { ReadOptions } from '../transfer/imports/import-file';
import type { Offers } from '../transfer/imports/offers';
import { db } from './environment';

/** Files of other programs and of Snug, a backup among them [P2]. */
export const imports = {
	/** Says what importing a file would bring. Writes nothing. */
	inspect: async (file: Blob, options?: ReadOptions) => (await import('../transfer/imports/import-file')).inspectFile(db, file, options),
	run: async (file: Blob, options?: ReadOptions) =>
		(await import('../transfer/imports/import-file')).importFile(db, file, { ...options, storage: navigator.storage }),
	/** Takes servers and settings of a file, which importing it only lists. */
	acceptOffers: async (offers: Offers) => (await import('../transfer/imports/offers')).acceptOffers(db, offers)
};
