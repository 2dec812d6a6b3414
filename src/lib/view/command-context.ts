import { app } from '../app';
import { conversations } from '../app/conversations';
import { findSessions } from '../app/find-sessions';
import { personas } from '../app/personas';
import type { CommandContext, Place } from '../commands/command';
import { complete } from '../commands/complete';
import { run } from '../commands/registry';
import { excerptOf } from '../conversation/excerpt';
import { setBudget } from './budget';
import { putInto, stopUsing } from './personas';
import { deleteSessions, pinSessions } from './session-actions';
import { isTemporary } from '../shared/is-temporary';

// Loaded when the first command is begun, with all that it imports.
export { complete, run };

const toolServers = async () => (await import('../app/tool-servers')).toolServers;

/** Milliseconds after the last key until a server is asked to complete something, and that are waited for it. */
const typingMs = 250;
const maxWaitMs = 2000;

/** The number of the newest text that is to be completed. */
let newest = 0;

/** Asks a tool server for proposals once the user pauses, and not for long: keys wait for them. */
const proposals: CommandContext['proposals'] = async (argument) => {
	const mine = ++newest;
	await wait(typingMs);
	if (mine !== newest) return [];
	return Promise.race([toolServers().then((servers) => servers.proposals(argument)), wait(maxWaitMs).then(() => [])]);
};

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The app, as commands see it from a place. */
export function commandContext(place: Place): CommandContext {
	return {
		place,
		isTemporary: isTemporary(),
		now: app.clock,
		session: (id) => app.sessions.get(id),
		findSessions,
		listSessions: (limit) => app.sessions.list({ limit }),
		newestMessages: (sessionId, limit) => conversations.messages.newest(sessionId, { limit }),
		renameSession: conversations.renameSession,
		pinSession: (id, pinned) => pinSessions([id], pinned),
		setBudget,
		deleteSessions,
		restoreSessions: (ids) => conversations.trash.restore(ids),
		outline: async (sessionId) => (await conversations.openOutline()).read(sessionId),
		findNode: conversations.findNode,
		head: async (sessionId) => (await conversations.messages.headOf(sessionId))?.id,
		moveHead: conversations.moveHead,
		label: conversations.label,
		personas: async () => (await personas.list()).map(({ name, systemPrompt }) => ({ name, about: excerptOf(systemPrompt, 80) })),
		usePersona: async (name) => putInto(await personas.require(name), place.sessionId),
		stopPersona: () => stopUsing(place.sessionId),
		retentionDays: async () => (await app.settings.get('retention'))?.days ?? undefined,
		previewCleanup: async (rule) => (await app.openCleanup()).preview(rule),
		cleanUp: async (ids, { olderThanDays }) => (await app.openCleanup()).run(ids, { days: olderThanDays, maxBytes: null }),
		compactions: async (sessionId) => (await conversations.compaction.ofSession(sessionId)).length,
		totalUsage: async () => (await app.openMeasures()).totalUsage(),
		showsTokens: async () => (await app.settings.get('showTokens')) ?? false,
		showTokens: (shown) => (shown ? app.settings.set('showTokens', true) : app.settings.unset('showTokens')),
		prompts: async () => (await toolServers()).prompts(),
		wordsOf: async (prompt, values) => (await toolServers()).wordsOf(prompt, values),
		resources: async () => (await toolServers()).resources(),
		fileOf: async (resource, values) => (await toolServers()).fileOf(resource, values),
		proposals
	};
}
