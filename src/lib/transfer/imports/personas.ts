import { sendsSame } from '../../conversation/same-persona';
import type { Database } from '../../storage/database';
import type { Persona } from '../../storage/tables/personas';
import { plainPrompt } from '../gate/plain-rows';

/** The personas of a file: names of those that are new here, how many are here already, and names of those that do not come, since another one here has the name. */
export interface ComparedPersonas {
	added: string[];
	same: number;
	taken: string[];
}

export async function comparePersonas(db: Database, personas: Persona[]): Promise<ComparedPersonas> {
	const here = await db.presets.bulkGet(personas.map(({ name }) => name));
	const added: string[] = [];
	const taken: string[] = [];
	for (const [index, persona] of personas.entries()) {
		const own = here[index];
		if (!own) added.push(persona.name);
		else if (!sendsSame(persona, plainPrompt(own))) taken.push(persona.name);
	}
	return { added, same: personas.length - added.length - taken.length, taken };
}
