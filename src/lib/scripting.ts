import { app } from './app';
import { undoMilliseconds } from './storage/sessions';

/**
 * The scripting surface: `window.snug` in the browser's console [A15, R9]. Plain data in and out, over the same store
 * that the screens use; what it changes shows at once.
 */
export const scripting = {
	sessions: {
		/** Newest first [A12]. */
		list: ({ limit = 20 }: { limit?: number } = {}) => app.sessions.list({ limit }),
		get: (id: string) => app.sessions.get(id),
		/** It can be brought back with `restore` for ten seconds [A14]. */
		delete: async (id: string) => {
			await app.deleteSession(id);
			setTimeout(() => void app.purge(), undoMilliseconds);
		},
		restore: (id: string) => app.sessions.restore(id)
	},
	messages: {
		/** The newest `limit` of the active path, after skipping `offset`; oldest first [E6]. */
		newest: (sessionId: string, range?: { limit?: number; offset?: number }) => app.messages.newest(sessionId, range),
		/** Every message of every branch, by depth. */
		all: (sessionId: string) => app.messages.all(sessionId)
	},
	/** The session as text, in `format`; only `markdown` so far [A13]. */
	export: async (sessionId: string, format: 'markdown' = 'markdown') => (await app.exportSession(sessionId, format)).text,
	models: {
		list: () => app.models.list(),
		/** Copies a GGUF file into the browser. */
		import: (file: File) => app.onDevice.import(file),
		/** Downloads a GGUF file, going on where an earlier download of the same address stopped. */
		fetch: (url: string) => app.onDevice.fetch({ url }),
		remove: async (id: string) => {
			const model = await app.models.get(id);
			if (model) await app.onDevice.remove(model);
		}
	}
};

declare global {
	interface Window {
		snug: typeof scripting;
	}
}
