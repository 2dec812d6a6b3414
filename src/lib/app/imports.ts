import type { ReadOptions } from '../transfer/imports/import-file';
import type { Setting } from '../storage/tables/settings';
import type { Offers, ReplacingSetting } from '../transfer/imports/offers';
import { db } from './environment';

/** Files of other programs and of Snug, a backup among them [P2]. */
export const imports = {
	/** Tells whether a file is of a kind that can be imported. */
	isKnown: async (file: Blob) => (await (await import('../transfer/imports/recognise')).formatOf(file)) !== undefined,
	/** Says what importing a file would bring. Writes nothing. */
	inspect: async (file: Blob, options?: ReadOptions) => (await import('../transfer/imports/import-file')).inspectFile(db, file, options),
	run: async (file: Blob, options?: ReadOptions) =>
		(await import('../transfer/imports/import-file')).importFile(db, file, { ...options, storage: navigator.storage }),
	/** Takes servers and settings of a file, which importing it only lists. */
	acceptOffers: async (offers: Offers) => (await import('../transfer/imports/offers')).acceptOffers(db, offers),
	/** As `replacing` of transfer/. */
	replacing: async (settings: Setting[], here: Setting[]) => (await import('../transfer/imports/offers')).replacing(settings, here),
	/** As `putBackSettings` of transfer/. */
	putBackSettings: async (taken: ReplacingSetting[]) => (await import('../transfer/imports/offers')).putBackSettings(db, taken)
};
