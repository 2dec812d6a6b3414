import { nameBeside } from '../../conversation/persona';
import { personasOfSnug } from '../../conversation/personas-of-snug';
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

/**
 * Returns the personas of a file as they come in: one that has the name of one that comes with Snug, where the user has none of that name, comes beside
 * that one under another, since chats may begin with it here.
 */
export async function besideSnugs(db: Database, personas: Persona[]): Promise<Persona[]> {
	const names = new Set<string>(personasOfSnug.map(({ name }) => name));
	const own = await db.presets.toArray();
	const isBeside = ({ name }: Persona) => names.has(name) && !own.some((one) => one.name === name);
	const others = personas.filter((persona) => !isBeside(persona));
	const taken = new Set([...names, ...others.map(({ name }) => name)]);
	return personas.map((persona) => {
		if (!isBeside(persona)) return persona;
		// What has come before, under such a name, is the same.
		const here = new Set(own.filter((one) => !sendsSame(persona, one)).map(({ name }) => name));
		return { ...persona, name: nameBeside(persona.name, new Set([...taken, ...here])) };
	});
}
