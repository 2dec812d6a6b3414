import { labelOf, titleOf } from '../engine/tool-servers/server-tool';
import { readableToolName } from '../shared/server-tool-name';
import { entriesHere } from '../tools/registry';
import { readPersona, writePersona } from '../transfer/persona-file';
import { clock } from './environment';
import { freeName, personas } from './personas';
import { storedToolServers } from './stored-tool-servers';

/** A persona that came from a file, and what of it did not. */
export interface ImportedPersona {
	name: string;
	/** The name in the file, where that was taken here. */
	wasNamed?: string;
	/** Labels of the tools that it may use. */
	tools: string[];
	/** Names of tools that are not here. */
	leftOut: string[];
	/** False where its model is not here, and was left out. */
	hasModel: boolean;
}

/** Returns a persona as a file. Throws an AppError (`persona-absent`) where there is none of this name. */
export async function personaFile(name: string): Promise<File> {
	const [persona, context] = await Promise.all([personas.require(name), personas.contextOf(name)]);
	return writePersona({ persona, context });
}

/** Adds the persona of a file to those here, in the place of none. Throws an AppError (`persona-file`, `file-unreadable`) where it can't be. */
export async function importPersona(file: Blob): Promise<ImportedPersona> {
	const { persona, context } = await readPersona(file, clock());
	const { name: wasNamed, tools, source, ...words } = persona;
	const name = await freeName(wasNamed);
	const ofServers = (await storedToolServers.list()).flatMap((server) => server.tools.map((tool) => ({ name: tool.callName, label: `“${titleOf(tool)}” of ${labelOf(server)}` })));
	const here = [...entriesHere(), ...ofServers];
	const known = here.filter((entry) => tools?.includes(entry.name));
	const hasModel = source === undefined || (await personas.modelAt(source)) !== undefined;
	await personas.add({ ...words, name, ...(tools && { tools: known.map(({ name }) => name) }), ...(source && hasModel && { source }) }, context);
	return {
		name,
		...(name !== wasNamed && { wasNamed }),
		tools: known.map(({ label }) => label),
		leftOut: [...new Set(tools)].filter((tool) => !known.some(({ name }) => name === tool)).map(readableToolName),
		hasModel
	};
}
