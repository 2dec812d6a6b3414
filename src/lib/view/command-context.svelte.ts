import { app } from '../app';
import type { CommandContext, Place } from '../commands/command';
import { complete } from '../commands/complete';
import { run } from '../commands/registry';
import { deleteSessions, pinSessions } from './sessions.svelte';

// Loaded when the first command is begun, with all that it imports.
export { complete, run };

/** The app, as commands see it from a place. */
export function commandContext(place: Place): CommandContext {
	return {
		place,
		now: app.clock,
		session: (id) => app.sessions.get(id),
		findSessions: (text) => app.sessions.find(text),
		listSessions: (limit) => app.sessions.list({ limit }),
		newestMessages: (sessionId, limit) => app.messages.newest(sessionId, { limit }),
		renameSession: app.renameSession,
		pinSession: (id, pinned) => pinSessions([id], pinned),
		deleteSessions,
		restoreSessions: (ids) => app.trash.restore(ids),
		outline: async (sessionId) => (await app.openOutline()).read(sessionId),
		findNode: app.findNode,
		head: async (sessionId) => (await app.messages.headOf(sessionId))?.id,
		moveHead: app.moveHead,
		label: app.label,
		retentionDays: async () => (await app.settings.get('retention'))?.days ?? undefined,
		previewCleanup: (rule) => app.cleanup.preview(rule),
		cleanUp: (ids) => app.cleanup.run(ids),
		compactions: async (sessionId) => (await app.compaction.ofSession(sessionId)).length,
		totalUsage: app.totalUsage,
		showsTokens: async () => (await app.settings.get('showTokens')) ?? false,
		showTokens: (shown) => (shown ? app.settings.set('showTokens', true) : app.settings.unset('showTokens'))
	};
}
