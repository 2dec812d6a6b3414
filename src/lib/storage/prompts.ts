import { Dexie } from 'dexie';
import { textOf, type Message } from '../conversation/message';
import type { ModelParameters } from '../conversation/model-parameters';
import type { Place } from '../conversation/tree';
import { AppError } from '../shared/app-error';
import { endOf } from './branch-of';
import type { Database } from './database';
import { Messages } from './messages';
import { Path } from './path';
import { putSessionSettings } from './session-settings';
import type { SessionSettingsRow } from './tables/session-settings';

/** The system prompts of a chat. */
export interface ChatPrompts {
	/** The text in force at the end of its path; '' for none. */
	inForce: string;
	/** The text that the next message brings with it, as it was typed; undefined where that changes nothing. */
	next: string | undefined;
}

/** Lists the system messages that a path runs through, the newest first. Part of the running transaction. */
export async function systemsOn(path: Path): Promise<Place[]> {
	const { db, tree, end } = path;
	const range = db.messages.where('[sessionId+role+id]').between([tree.sessionId, 'system', Dexie.minKey], [tree.sessionId, 'system', Dexie.maxKey]);
	const places = (await range.primaryKeys()).map(([, depth, id]) => ({ id, depth })).filter(({ depth }) => depth <= end.depth);
	// Mostly there is the root alone, which every path runs through.
	const found = places.every(({ depth }) => depth === 0) ? places : await path.through(places);
	return found.sort((a, b) => b.depth - a.depth);
}

/** Returns the system prompt in force, given the system messages of a path, the newest first; '' for none. Part of the running transaction. */
export async function promptAmong(db: Database, systems: Place[]): Promise<string> {
	for (const { id } of systems) {
		const message = await new Messages(db).get(id);
		if (message && decides(message)) return textOf(message);
	}
	return '';
}

/** Tells whether a system message says what is sent: not one whose text is not here, since it was erased or left out when it came from a file. */
function decides({ parts }: Message): boolean {
	return !parts.some(({ type }) => type === 'redacted');
}

/** Reads rows only, so that a live query can follow it. Undefined where there is no such session. */
export function chatPrompts(db: Database, sessionId: string, at?: string): Promise<ChatPrompts | undefined> {
	const { trees, positions, messages, sessionSettings } = db;
	return db.transaction('r', [trees, positions, messages, sessionSettings], async () => {
		const [tree, position, own] = await Promise.all([trees.get(sessionId), positions.get(sessionId), sessionSettings.get(sessionId)]);
		if (!tree) return undefined;
		const path = new Path(db, tree, await endOf(db, tree, position, at));
		return { inForce: await promptAmong(db, await systemsOn(path)), next: own?.systemPrompt };
	});
}

/** Choices that the next message of a chat is sent with. */
export interface NextChoices {
	/** The text that it brings, as it was typed, or the one in force. */
	systemPrompt: string;
	/** Parameters of the chat's own. */
	parameters: ModelParameters;
	/** Name of the preset that was last put there, if any. */
	preset?: string | undefined;
}

/**
 * Stores what `change` makes of the choices that the next message is sent with: one transaction, which ends without a change where `change` throws. Any tab
 * may: they are sent with a message only. Throws an AppError where the chat is gone.
 */
export function changeNextUnfenced(db: Database, sessionId: string, change: (now: NextChoices) => NextChoices): Promise<void> {
	const { trees, positions, messages, sessionSettings } = db;
	return db.transaction('rw', [trees, positions, messages, sessionSettings], async () => {
		const prompts = await chatPrompts(db, sessionId);
		if (!prompts) throw new AppError('session-absent', 'This chat is no longer there, so nothing was written.');
		const { inForce, next } = prompts;
		const { systemPrompt: _, parameters: own = {}, preset: put, ...row }: SessionSettingsRow = (await sessionSettings.get(sessionId)) ?? { sessionId };
		const { systemPrompt, parameters, preset } = change({ systemPrompt: next ?? inForce, parameters: own, preset: put });
		await putSessionSettings(db, {
			...row,
			...(Object.keys(parameters).length > 0 && { parameters }),
			...(systemPrompt !== inForce && { systemPrompt }),
			...(preset !== undefined && { preset })
		});
	});
}

/** Stores what `change` makes of the prompt that the next message brings, or of the one in force, and returns it. As `changeNextUnfenced`. */
export async function changeNextPromptUnfenced(db: Database, sessionId: string, change: (typed: string) => string): Promise<string> {
	let systemPrompt = '';
	await changeNextUnfenced(db, sessionId, (now) => {
		systemPrompt = change(now.systemPrompt);
		return { ...now, systemPrompt };
	});
	return systemPrompt;
}

/** Takes the prompt that the next message of a chat brings, where it is another than the one in force at that place. Part of the running transaction. */
export async function takeNextPrompt(db: Database, sessionId: string, parentId: string | undefined): Promise<string | undefined> {
	const row = await db.sessionSettings.get(sessionId);
	if (row?.systemPrompt === undefined) return undefined;
	const { inForce = '', next = '' } = (await chatPrompts(db, sessionId, parentId)) ?? {};
	const { systemPrompt: _, ...others } = row;
	await putSessionSettings(db, others);
	return next.trim() === inForce ? undefined : next.trim();
}
