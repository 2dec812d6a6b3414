import { sendsSame } from '../../conversation/same-preset';
import type { Database } from '../../storage/database';
import type { Preset } from '../../storage/tables/presets';

/** The presets of a file: how many are new here, and how many are here already; names of those that do not come, since another one here has the name. */
export interface ComparedPresets {
	added: number;
	same: number;
	taken: string[];
}

export async function comparePresets(db: Database, presets: Preset[]): Promise<ComparedPresets> {
	const here = await db.presets.bulkGet(presets.map(({ name }) => name));
	const kept = presets.flatMap((preset, index) => (here[index] ? [{ name: preset.name, isSame: sendsSame(preset, here[index]) }] : []));
	const taken = kept.flatMap(({ name, isSame }) => (isSame ? [] : [name]));
	return { added: presets.length - kept.length, same: kept.length - taken.length, taken };
}
