import { sendsSame } from '../../conversation/same-preset';
import type { Database } from '../../storage/database';
import type { Preset } from '../../storage/tables/presets';
import { plainPrompt } from '../gate/plain-rows';

/** The presets of a file: names of those that are new here, how many are here already, and names of those that do not come, since another one here has the name. */
export interface ComparedPresets {
	added: string[];
	same: number;
	taken: string[];
}

export async function comparePresets(db: Database, presets: Preset[]): Promise<ComparedPresets> {
	const here = await db.presets.bulkGet(presets.map(({ name }) => name));
	const added: string[] = [];
	const taken: string[] = [];
	for (const [index, preset] of presets.entries()) {
		const own = here[index];
		if (!own) added.push(preset.name);
		else if (!sendsSame(preset, plainPrompt(own))) taken.push(preset.name);
	}
	return { added, same: presets.length - added.length - taken.length, taken };
}
