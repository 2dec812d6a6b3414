import type { ContextOverrides } from '../conversation/context-settings';
import { isNoPersona, maxPersonaName, nameBeside } from '../conversation/persona';
import { personasOfSnug } from '../conversation/personas-of-snug';
import { sendsSame } from '../conversation/same-persona';
import { hasBrowserModel, inBrowser } from '../engine/providers/answer-source';
import type { ChatBeginning } from '../engine/turns/chat-beginning';
import { AppError } from '../shared/app-error';
import { serverLabel } from '../shared/server-label';
import { withoutUnseen } from '../shared/without-unseen';
import type { NextChoices } from '../storage/prompts';
import type { Persona } from '../storage/tables/personas';
import type { Source } from '../storage/tables/source';
import { clock, db, models, providers, settings } from './environment';

/** A persona that can be used: one of the user's, or one that comes with Snug. */
export interface ListedPersona extends Persona {
	ofSnug: boolean;
	/** The model that it names, and where that is; undefined where it names none, or one that is not here: the chat's own stays then. */
	model: string | undefined;
}

/** A persona that was removed, or another took the place of, with what else has its name. */
export interface RemovedPersona {
	persona: Persona;
	context: ContextOverrides | undefined;
	workspaces: string[];
}

/** Choices that a chat takes of a persona. */
export interface PersonaChoices extends ChatBeginning {
	systemPrompt: string;
	persona: string;
}

/** Choices that a persona is made of. */
interface SetByPersona {
	systemPrompt: string;
	parameters?: Persona['parameters'];
	source?: Source | undefined;
	tools?: readonly string[] | undefined;
	allowedTools?: readonly string[] | undefined;
}

/** Personas: choices for a chat under names. */
export const personas = {
	/** All of the user's, and those that come with Snug but for ones that have the name of one of the user's, in the order of their names. */
	list: async (): Promise<ListedPersona[]> => {
		const own = await db.presets.toArray();
		const names = new Set(own.map(({ name }) => name));
		const all: Persona[] = [...own, ...personasOfSnug.filter(({ name }) => !names.has(name))];
		const listed = await Promise.all(all.map(async (one) => ({ ...one, ofSnug: !names.has(one.name), model: one.source && (await personas.modelAt(one.source)) })));
		return listed.sort((a, b) => a.name.localeCompare(b.name));
	},
	/** Names a model that rows name, and where it is; undefined where it is not here. */
	modelAt: async (source: Source): Promise<string | undefined> => {
		if (source.kind === 'browser') return hasBrowserModel() ? `${inBrowser().model} of this browser` : undefined;
		if ('modelId' in source) return (await models.get(source.modelId))?.name;
		const server = await providers.get(source.providerId);
		return server && `${source.model} at ${serverLabel(server)}`;
	},
	/** Returns the one of a name. Throws an AppError (`persona-absent`) where there is none. */
	require: async (name: string): Promise<ListedPersona> => {
		const found = (await personas.list()).find((one) => one.name === name);
		if (!found) throw new AppError('persona-absent', 'There is no persona with this name here.');
		return found;
	},
	/**
	 * Stores one in the place of any with its name, or of the one that was named `before`. Returns the one whose place it took, for who wants it back. Throws an
	 * AppError (`persona-name`) for a name that stands for none, is too long, has what can't be seen, or is taken where it was another before.
	 */
	save: (persona: Omit<Persona, 'createdAt'>, before = persona.name): Promise<Persona | undefined> =>
		db.transaction('rw', db.presets, db.settings, db.sessions, async () => {
			requireName(persona.name);
			const [former, taken] = await Promise.all([db.presets.get(before), db.presets.get(persona.name)]);
			if (before !== persona.name) {
				if (taken) throw new AppError('persona-name', 'There is another persona with this name.');
				// One that comes with Snug stays beside what is made of it.
				if (former) await rename(before, persona.name);
			}
			await db.presets.put({ ...persona, createdAt: former?.createdAt ?? clock() });
			return former;
		}),
	/** Stores one that has a name of its own, with its context settings. */
	add: (persona: Omit<Persona, 'createdAt'>, context: ContextOverrides): Promise<void> =>
		db.transaction('rw', db.presets, db.settings, async () => {
			await db.presets.add({ ...persona, createdAt: clock() });
			if (Object.keys(context).length > 0) await settings.change('contextByPersona', (all) => ({ ...all, [persona.name]: context }));
		}),
	/**
	 * Removes one of the user's, and what else has its name. Returns it, for who wants it back; undefined where it is not there. Throws an AppError
	 * (`persona-changed`) where it does not send the same as `expected` any more.
	 */
	remove: (name: string, expected?: Persona): Promise<RemovedPersona | undefined> =>
		db.transaction('rw', db.presets, db.settings, async () => {
			const persona = await db.presets.get(name);
			if (!persona) return undefined;
			if (expected && !sendsSame(persona, expected)) throw new AppError('persona-changed', 'This persona has changed since, so it stays.');
			const { context, others } = apart((await settings.get('contextByPersona')) ?? {}, name);
			const byWorkspace = Object.entries((await settings.get('workspacePersonas')) ?? {});
			const workspaces = byWorkspace.flatMap(([workspace, persona]) => (persona === name ? [workspace] : []));
			await db.presets.delete(name);
			if (context) await settings.change('contextByPersona', () => orUnset(others));
			// One that comes with Snug may have the name.
			const stays = personasOfSnug.some((one) => one.name === name);
			if (workspaces.length > 0 && !stays) await settings.change('workspacePersonas', () => orUnset(Object.fromEntries(byWorkspace.filter(([, persona]) => persona !== name))));
			return { persona, context, workspaces };
		}),
	/**
	 * Brings one back, in the place of the one that took its place, if any, also where that has another name. Throws an AppError (`persona-changed`) where something else
	 * has its name by now.
	 */
	putBack: ({ persona, context, workspaces }: RemovedPersona, inItsPlace?: Omit<Persona, 'createdAt'>): Promise<void> =>
		db.transaction('rw', db.presets, db.settings, db.sessions, async () => {
			const { name } = inItsPlace ?? persona;
			const isRenamed = name !== persona.name;
			const [now, taken] = await Promise.all([db.presets.get(name), isRenamed ? db.presets.get(persona.name) : undefined]);
			const isExpected = taken === undefined && (now && inItsPlace ? sendsSame(now, inItsPlace) : now === undefined);
			if (!isExpected) throw new AppError('persona-changed', 'There is another persona with this name by now, so it stays as it is.');
			if (now && isRenamed) await rename(name, persona.name);
			await db.presets.put(persona);
			if (context) await settings.change('contextByPersona', (all) => ({ ...all, [persona.name]: context }));
			if (workspaces.length > 0) await settings.change('workspacePersonas', (all) => ({ ...Object.fromEntries(workspaces.map((workspace) => [workspace, persona.name])), ...all }));
		}),
	/** Returns the context settings of one. */
	contextOf: async (name: string): Promise<ContextOverrides> => apart((await settings.get('contextByPersona')) ?? {}, name).context ?? {},
	/** Returns the name of the persona that new chats of a workspace begin with. */
	ofWorkspace: async (workspace: string): Promise<string | undefined> => (await settings.get('workspacePersonas'))?.[workspace],
	/** Has new chats of a workspace begin with a persona, or with none. */
	setForWorkspace: (workspace: string, name: string | undefined): Promise<void> =>
		settings.change('workspacePersonas', ({ [workspace]: _, ...others }: Record<string, string> = {}) => {
			const all: typeof others = name === undefined ? others : { ...others, [workspace]: name };
			return orUnset(all);
		}),
	/** Returns what new chats of a workspace begin with, if it has a persona that is here. */
	beginningIn: async (workspace: string): Promise<PersonaChoices | undefined> => {
		const name = await personas.ofWorkspace(workspace);
		const found = name === undefined ? undefined : (await personas.list()).find((one) => one.name === name);
		return found && choicesOf(found);
	}
};

/** Returns a persona that sets these choices, and nothing where they are empty. */
export function toPersona(name: string, { systemPrompt, parameters = {}, source, tools, allowedTools = [] }: SetByPersona): Omit<Persona, 'createdAt'> {
	return {
		name,
		systemPrompt,
		...(Object.keys(parameters).length > 0 && { parameters }),
		...(source && { source }),
		...(tools && { tools: [...tools] }),
		...(tools && allowedTools.length > 0 && { allowedTools: [...allowedTools] })
	};
}

/** Returns what a chat takes of a persona. */
export function choicesOf({ name, systemPrompt, parameters, source, tools, allowedTools, model }: ListedPersona): PersonaChoices {
	return {
		persona: name,
		systemPrompt,
		...(parameters && { parameters }),
		...(source && model !== undefined && { source }),
		...(tools && { tools }),
		...(tools && allowedTools && { allowedTools })
	};
}

/** Puts the choices of a persona in the place of a chat's. A model and tools that it leaves open stay; nothing stays allowed that it does not allow. */
export function withPersona({ allowedTools: _, ...now }: NextChoices, { persona, ...choices }: PersonaChoices): NextChoices {
	return { ...now, parameters: {}, ...choices, persona, nextPersona: persona };
}

/** Puts no persona in the place of that of a chat: what new chats begin with. Its model stays. */
export function withoutPersona({ allowedTools: _, tools: _tools, source, persona, nextPersona: _next }: NextChoices, systemPrompt: string): NextChoices {
	return { systemPrompt, parameters: {}, ...(source && { source }), ...(persona !== undefined && { nextPersona: '' }) };
}

/** Returns a name that no persona here has, as `nameBeside`. */
export async function freeName(name: string): Promise<string> {
	return nameBeside(name, new Set((await personas.list()).map((one) => one.name)));
}

function requireName(name: string): void {
	const say = (why: string) => new AppError('persona-name', why);
	if (isNoPersona(name)) throw say('“None” stands for no persona, so no persona can have that name.');
	if (withoutUnseen(name) !== name) throw say('A persona’s name can’t have characters that are not seen.');
	if (name.length > maxPersonaName) throw say(`A persona’s name has ${maxPersonaName} characters at most.`);
}

/** Gives what names a persona its other name. Messages say which it was. Part of the running transaction. */
async function rename(before: string, name: string): Promise<void> {
	await db.presets.delete(before);
	await db.sessions.filter(({ persona }) => persona === before).modify({ persona: name });
	const { context, others } = apart((await settings.get('contextByPersona')) ?? {}, before);
	if (context) await settings.set('contextByPersona', { ...others, [name]: context });
	const byWorkspace = Object.entries((await settings.get('workspacePersonas')) ?? {});
	if (byWorkspace.some(([, persona]) => persona === before))
		await settings.set('workspacePersonas', Object.fromEntries(byWorkspace.map(([workspace, persona]) => [workspace, persona === before ? name : persona])));
}

/** Takes the context settings of one persona apart from those of the others. A name that every object has, such as `constructor`, is as good as any. */
function apart(all: Record<string, ContextOverrides>, name: string): { context: ContextOverrides | undefined; others: Record<string, ContextOverrides> } {
	const { [name]: own, ...others } = all;
	return { context: Object.hasOwn(all, name) ? own : undefined, others };
}

/** A setting that lists by name; one that lists none is none. */
function orUnset<T extends object>(all: T): T | undefined {
	return Object.keys(all).length > 0 ? all : undefined;
}
