import type { ContextOverrides } from '../conversation/context-settings';
import { AppError } from '../shared/app-error';
import { exceeds } from '../shared/extent';
import type { Persona } from '../storage/tables/personas';
import { admitRow, type Admission } from './gate/admit-row';
import { unreadableFile } from './unreadable-file';

/** A persona with its context settings, as a file has them. */
export interface FiledPersona {
	persona: Omit<Persona, 'createdAt' | 'allowedTools'>;
	context: ContextOverrides;
}

/** The start of such a file. */
const heading = { snug: 'persona', version: 1 };

/** The largest file that is read, in bytes, and the most that is in it. */
const maxSize = 1_000_000;
const maxExtent = { levels: 10, values: 10_000 };

/** Returns a persona as a file, without the time and the permissions that it has here. */
export function writePersona({ persona, context }: FiledPersona): File {
	const { name, systemPrompt, parameters, source, tools } = persona;
	const said = { ...heading, name, systemPrompt, parameters, source, tools, context: Object.keys(context).length > 0 ? context : undefined };
	// No system has these in the names of its files.
	return new File([`${JSON.stringify(said, null, '\t')}\n`], `${name.replace(/[\\/:*?"<>|]/g, '-')}.persona.json`, { type: 'application/json' });
}

/** Reads the persona of a file, each value through the gate. What it allows is not read. Throws an AppError (`persona-file`, `file-unreadable`) where it is none. */
export async function readPersona(file: Blob, now: number): Promise<FiledPersona> {
	if (file.size > maxSize) throw refused('This file is larger than a persona can be.');
	const said = parse(await textOf(file));
	if (said?.snug !== heading.snug) throw refused('This is not the file of a persona.');
	if (said.version !== heading.version) throw refused('This persona comes from a later version of Snug. Update Snug, then import it again.');
	if (exceeds(said, maxExtent)) throw refused('This persona has more in it than Snug keeps.');
	const { allowedTools: _, createdAt: _createdAt, ...persona } = admitted(admitRow('presets', { ...said, createdAt: now }));
	const value = { [persona.name]: said.context ?? {} };
	const settings = admitted(admitRow('settings', { name: 'contextByPersona', value })) as { value: Record<string, ContextOverrides> };
	return { persona, context: settings.value[persona.name]! };
}

function admitted<R>(admission: Admission<R>): R {
	if ('row' in admission) return admission.row;
	throw refused(`This persona can’t be imported. ${admission.reason}`);
}

function refused(why: string): AppError {
	return new AppError('persona-file', why);
}

async function textOf(file: Blob): Promise<string> {
	try {
		return await file.text();
	} catch (error) {
		throw unreadableFile(error);
	}
}

function parse(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}
