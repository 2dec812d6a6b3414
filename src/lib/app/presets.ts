import { isNoPreset } from '../conversation/preset';
import { sendsSame } from '../conversation/same-preset';
import { AppError } from '../shared/app-error';
import { withoutUnseen } from '../shared/without-unseen';
import type { Preset } from '../storage/tables/presets';
import { clock, db } from './environment';

/** Settings of a model under names. */
export const presets = {
	/** In the order of their names. */
	list: async (): Promise<Preset[]> => (await db.presets.toArray()).sort((a, b) => a.name.localeCompare(b.name)),
	/** Stores one in the place of any with its name. Returns that, for who wants it back. Throws an AppError (`preset-name`) for a name that stands for none, or has what can't be seen. */
	save: (preset: Omit<Preset, 'createdAt'>): Promise<Preset | undefined> =>
		db.transaction('rw', db.presets, async () => {
			if (isNoPreset(preset.name)) throw new AppError('preset-name', '“None” stands for no preset, so no preset can have that name.');
			if (withoutUnseen(preset.name) !== preset.name) throw new AppError('preset-name', 'A preset’s name can’t have characters that are not seen.');
			const before = await db.presets.get(preset.name);
			await db.presets.put({ ...preset, createdAt: before?.createdAt ?? clock() });
			return before;
		}),
	remove: (name: string): Promise<void> => db.presets.delete(name),
	/** Brings one back, in the place of the one that took its place, if any. Throws an AppError (`preset-changed`) where something else has its name by now. */
	putBack: (preset: Preset, inItsPlace?: Omit<Preset, 'createdAt'>): Promise<unknown> =>
		db.transaction('rw', db.presets, async () => {
			const now = await db.presets.get(preset.name);
			const isExpected = now && inItsPlace ? sendsSame(now, inItsPlace) : now === undefined;
			if (!isExpected) throw new AppError('preset-changed', 'There is another preset with this name by now, so it stays as it is.');
			await db.presets.put(preset);
		})
};
