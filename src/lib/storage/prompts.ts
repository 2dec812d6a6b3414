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
		return { inForce: await promptAmong(db, await path.ofRole('system')), next: own?.systemPrompt };
	});
}

/** Choices that the next message of a chat is sent with. */
export interface NextChoices extends Omit<SessionSettingsRow, 'sessionId'> {
	/** The text that it brings, as it was typed, or the one in force. */
	systemPrompt: string;
	/** Parameters of the chat's own. */
	parameters: ModelParameters;
	/** Name of the persona that was last put there, if any. */
	persona?: string | undefined;
}

/**
 * Stores what `change` makes of the choices that the next message is sent with: one transaction, which ends without a change where `change` throws. Any tab
 * may: they are sent with a message only. Throws an AppError where the chat is gone.
 */
export function changeNextUnfenced(db: Database, sessionId: string, change: (now: NextChoices) => NextChoices): Promise<void> {
	const { sessions, trees, positions, messages, sessionSettings } = db;
	return db.transaction('rw', [sessions, trees, positions, messages, sessionSettings], async () => {
		const [prompts, session] = await Promise.all([chatPrompts(db, sessionId), sessions.get(sessionId)]);
		if (!prompts || !session) throw new AppError('session-absent', 'This chat is no longer there, so nothing was written.');
		const { inForce, next } = prompts;
		const { persona: put, ...named } = session;
		const { sessionId: _, ...own } = (await sessionSettings.get(sessionId)) ?? { sessionId };
		const { systemPrompt, parameters, persona, ...others } = change({ parameters: {}, ...own, systemPrompt: next ?? inForce, persona: put });
		if (persona !== put) await sessions.put(persona === undefined ? named : { ...named, persona });
		await putSessionSettings(db, {
			sessionId,
			...others,
			...(Object.keys(parameters).length > 0 && { parameters }),
			// A persona brings its own to wherever the next message goes.
			...((systemPrompt !== inForce || others.nextPersona !== undefined) && { systemPrompt })
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

/** Takes the prompt that the next message of a chat brings, where it is another than the one in force at that place, or of a persona. Part of the running transaction. */
export async function takeNextPrompt(db: Database, sessionId: string, parentId: string | undefined): Promise<{ text: string; persona?: string } | undefined> {
	const row = await db.sessionSettings.get(sessionId);
	if (row?.systemPrompt === undefined) return undefined;
	const { inForce = '' } = (await chatPrompts(db, sessionId, parentId)) ?? {};
	const { systemPrompt, nextPersona: persona, ...others } = row;
	await putSessionSettings(db, others);
	const text = systemPrompt.trim();
	if (persona !== undefined) return { text, persona };
	return text === inForce ? undefined : { text };
}
