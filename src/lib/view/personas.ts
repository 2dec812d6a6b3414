import { app } from '../app';
import { conversations } from '../app/conversations';
import { defaultPrompt } from '../app/default-prompt';
import { choicesOf, personas, toPersona, withPersona, withoutPersona, type ListedPersona } from '../app/personas';
import { isSetBy, sendsSame } from '../conversation/same-persona';
import { AppError } from '../shared/app-error';
import { isServerTool } from '../shared/server-tool-name';
import { shorten } from '../shared/shorten';
import type { NextChoices } from '../storage/prompts';
import type { Persona } from '../storage/tables/personas';
import type { SessionSettingsRow } from '../storage/tables/session-settings';
import { entriesHere } from '../tools/registry';
import { beginning } from './beginning';
import type { ChatPrompt } from './chat-prompt.svelte';
import { Live } from './live.svelte';
import { offerBack, reportFailure, tryOrReport } from './notices.svelte';
import type { ChatParameters } from './parameters.svelte';
import { promptField } from './prompt-field';
import { saveFile } from './save-file';

/** The personas of all chats, and what is set in one chat, or in a new one, which may be one of them. */
export class ChatPersonas {
	private readonly stored: Live<{ all: ListedPersona[]; own: SessionSettingsRow | undefined; used: string | undefined }>;

	constructor(
		readonly sessionId: string | undefined,
		private readonly prompt: ChatPrompt,
		private readonly parameters: ChatParameters
	) {
		this.stored = new Live(async () => {
			const [all, own, session] = await Promise.all([
				personas.list(),
				sessionId === undefined ? undefined : conversations.sessionSettings.get(sessionId),
				sessionId === undefined ? undefined : app.sessions.get(sessionId)
			]);
			return { all, own, used: session?.persona };
		});
	}

	/** All of them, by name; undefined while loading. */
	get all(): ListedPersona[] | undefined {
		return this.stored.current?.all;
	}

	/** Those of the user's. */
	get own(): ListedPersona[] {
		return this.all?.filter(({ ofSnug }) => !ofSnug) ?? [];
	}

	/** The one that sets what the chat has set, the one that was last put there before others; undefined if none does. */
	get current(): ListedPersona | undefined {
		const { own: parameters } = this.parameters;
		if (this.prompt.text === undefined || !parameters) return undefined;
		const chosen = this.sessionId === undefined ? beginning.current : this.stored.current?.own;
		const set = { systemPrompt: this.prompt.typed, parameters, source: chosen?.source, tools: chosen?.tools };
		const same = this.all?.filter((one) => isSetBy(set, choicesOf(one))) ?? [];
		const used = this.sessionId === undefined ? beginning.current.persona : this.stored.current?.used;
		return same.find(({ name }) => name === used) ?? same[0];
	}

	/** Stores what is set under a name; one that had it is offered back. The result is false where that can't be stored, which is said. */
	save(name: string): Promise<boolean> {
		return tryOrReport(async () => {
			let persona: Omit<Persona, 'createdAt'> = { name, systemPrompt: '' };
			await change(this.sessionId, (now) => {
				persona = toPersona(name, now);
				return { ...now, persona: name };
			});
			await savePersona(persona);
		});
	}
}

/** Puts a persona in the place of what a chat has set, or a new one, and offers that back. The result is false where that can't be stored, which is said: then all is as it was. */
export function usePersona(persona: ListedPersona, sessionId: string | undefined): Promise<boolean> {
	return tryOrReport(() => putInto(persona, sessionId));
}

/** Does as `usePersona`, but throws where that can't be stored. */
export async function putInto(persona: ListedPersona, sessionId: string | undefined): Promise<void> {
	const choices = choicesOf(persona);
	const undo = await put(sessionId, (now) => withPersona(now, choices));
	offerBack([`“${persona.name}” applied.`, ...(await aboutUse(persona))].join(' '), undo);
}

/** Has a chat go on as new ones begin, or a new one begin so, without a persona. Throws where that can't be stored. */
export async function stopUsing(sessionId: string | undefined): Promise<void> {
	const prompt = await defaultPrompt.asTyped();
	// A new chat says so, or its workspace's would count.
	const undo = await put(sessionId, (now) => ({ ...withoutPersona(now, prompt), ...(sessionId === undefined && { persona: '' }) }));
	offerBack('No persona any more.', undo);
}

/** Says what a persona changes besides what is sent: where it is sent, and what can be called. */
async function aboutUse({ tools, source, model }: ListedPersona): Promise<string[]> {
	const labels = tools && (await labelsOf(tools));
	return [
		model !== undefined && `${model} answers.`,
		labels && (labels.length > 0 ? `It may use: ${labels.join(', ')}.` : 'It uses no tools.'),
		source && model === undefined && 'The model that it names is not here, so the chat keeps its own.'
	].filter((text) => typeof text === 'string');
}

/** Names the tools that are here, as they are on screen. */
async function labelsOf(tools: readonly string[]): Promise<string[]> {
	const own = entriesHere().flatMap(({ name, label }) => (tools.includes(name) ? [label] : []));
	return tools.some(isServerTool) ? [...own, ...(await (await import('./tool-servers')).toolsOfServers(tools))] : own;
}

/** Stores what `next` makes of what is set by then. Returns what puts that back, which throws an AppError where something else was set since. */
async function put(sessionId: string | undefined, next: (now: NextChoices) => NextChoices): Promise<() => Promise<void>> {
	let before: NextChoices | undefined;
	let applied: NextChoices | undefined;
	await change(sessionId, (now) => (applied = next((before = now))));
	return () =>
		change(sessionId, (now) => {
			if (now.persona !== applied!.persona || !sendsSame(now, applied!)) throw new AppError('persona-changed', 'These settings have changed since, so they stay as they are.');
			// A message that was sent with it has said so; the next says that it counts no more.
			const wasSaid = applied!.nextPersona !== undefined && now.nextPersona === undefined;
			return wasSaid ? { ...before!, nextPersona: before!.persona ?? '' } : before!;
		});
}

/** Stores what `next` makes of what is set by then, all of it or nothing: what is shown may be older, once the dialog is closed. */
async function change(sessionId: string | undefined, next: (now: NextChoices) => NextChoices): Promise<void> {
	if (sessionId !== undefined) return promptField(sessionId).between(() => conversations.changeNext(sessionId, next));
	const inForce = await defaultPrompt.asTyped();
	const { nextPersona: _, ...chosen } = next({ systemPrompt: inForce, parameters: {}, ...beginning.current });
	const { systemPrompt, parameters, persona, source, tools, allowedTools } = chosen;
	beginning.change({
		systemPrompt: systemPrompt === inForce ? undefined : systemPrompt,
		parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
		persona,
		source,
		tools,
		allowedTools
	});
}

/** Stores a persona; one whose place it takes is offered back. `before` is its name until then. Throws an AppError where that can't be. */
export async function savePersona(persona: Omit<Persona, 'createdAt'>, before?: string): Promise<void> {
	const former = await personas.save(persona, before);
	if (former && !sendsSame(former, persona))
		offerBack(`“${former.name}” replaced.`, () => personas.putBack({ persona: former, context: undefined, workspaces: [] }, persona));
}

/** Removes one of the user's, and offers it back. */
export function removePersona({ name }: Pick<Persona, 'name'>): Promise<void> {
	return reportFailure(async () => {
		const removed = await personas.remove(name);
		if (removed) offerBack(`“${name}” deleted.`, () => personas.putBack(removed));
	});
}

/** Saves a persona as a file among the downloads. */
export function exportPersona({ name }: Pick<Persona, 'name'>): Promise<void> {
	return reportFailure(async () => {
		const file = await (await import('../app/persona-files')).personaFile(name);
		saveFile(file, file.name);
	});
}

/** Adds the persona of a file, and says what came of it. */
export function importPersonaFile(file: Blob): Promise<void> {
	return reportFailure(async () => {
		const { name, wasNamed, tools, leftOut, hasModel } = await (await import('../app/persona-files')).importPersona(file);
		const list = new Intl.ListFormat('en');
		const said = [
			wasNamed === undefined ? `“${name}” added.` : `“${wasNamed}” is taken here, so it was added as “${name}”.`,
			tools.length > 0 && `It may use: ${list.format(tools)}.`,
			leftOut.length > 0 && `Left out, since there are no such tools here: ${list.format(leftOut.slice(0, 10).map((tool) => shorten(tool, 40)))}${leftOut.length > 10 ? ' and others' : ''}.`,
			!hasModel && 'Its model is not here, so it was left out.'
		].filter(Boolean);
		const added = await personas.require(name);
		offerBack(said.join(' '), () => personas.remove(name, added));
	});
}
