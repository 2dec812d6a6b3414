import { app } from '../app';
import { attachFile } from '../app/attach-file';
import type { ModelChoice } from '../app/choose-model';
import { defaultPrompt } from '../app/default-prompt';
import { findSessions } from '../app/find-sessions';
import { choicesOf, personas, withPersona } from '../app/personas';
import { search } from '../app/search';
import { tools } from '../app/tools';
import type { StrategyName } from '../conversation/boundary';
import type { ContextOverrides } from '../conversation/context-settings';
import type { ModelParameters } from '../conversation/model-parameters';
import type { ModelAddress } from '../engine/local/on-device';
import type { ServerAddress } from '../engine/providers/connect-server';
import type { StartedTurn } from '../engine/turns/turn-ports';
import type { SearchOptions } from '../search/hit';
import { AppError } from '../shared/app-error';
import type { SessionFilter } from '../storage/sessions';
import { inBackground } from '../storage/storage-failure';
import { undoMilliseconds } from '../storage/undo';
import { choosableTools } from '../tools/registry';
import type { ExportId } from '../transfer/exports/registry';
import type { Offers } from '../transfer/imports/offers';
import type { Receipt } from '../transfer/imports/receipt';

const { openConversations } = app;

/** A message that a script sends. */
interface SendOptions {
	/** A new session if absent. */
	sessionId?: string;
	/** The message that it follows; where something follows that already, a branch begins. The newest of the active path if absent. */
	parentId?: string;
	files?: File[];
}

/** The outcome of a turn that a script has begun; `text` is the answer's, as far as it came. */
interface Answered {
	sessionId: string;
	/** The answer's; absent where none began. */
	messageId?: string;
	text: string;
	status: 'success' | 'partial' | 'waiting' | 'interrupted' | 'failed';
	/** Reason why there is no answer, or not all of it. */
	failure?: string;
}

const openTurns = async () => (await openConversations()).openTurns();

/** Runs a turn to its end, and says what came of it. */
async function answered(started: StartedTurn): Promise<Answered> {
	const outcome: Answered = { sessionId: started.sessionId, text: '', status: 'interrupted' };
	await app.runTurn(started, (event) => {
		if (event.type === 'step-start') outcome.messageId = event.messageId;
		if (event.type === 'text-delta') outcome.text += event.text;
		if (event.type !== 'turn-end') return;
		outcome.status = event.status;
		if (event.status === 'failed') outcome.failure = event.failure.message;
	});
	return outcome;
}

/** Sends a message and resolves at the end of its turn. Throws AppErrors where it can't be sent; then nothing is stored. */
async function send(text: string, { sessionId, parentId, files = [] }: SendOptions = {}): Promise<Answered> {
	const parts = await Promise.all(files.map((file) => attachFile(file)));
	const release = parts.map(({ attachmentId }) => app.holdFile(attachmentId));
	try {
		const to = { ...(sessionId === undefined ? {} : { sessionId }), ...(parentId === undefined ? {} : { parentId }), again: true };
		const started = await (await openTurns()).send({ text, attachments: parts }, to);
		void app.stored.askPersistence();
		return await answered(started);
	} finally {
		for (const free of release) free();
	}
}

/** Removes for good, once it can't be brought back any more, what was deleted. */
async function purgeLater(): Promise<void> {
	const { purge } = await openConversations();
	setTimeout(() => void inBackground(purge), undoMilliseconds);
}

/** The object behind `window.snug`: plain data in and out, over the same store that the screens use; what it changes shows at once. */
export const surface = {
	send,
	/** Stops the answer of a session that this page is writing; what there is of it stays [E11]. */
	stop: async (sessionId: string) => (await openTurns()).stop(sessionId),
	/** Answers once more what this answer answers; both stay, as branches [Z9]. Resolves as `send` does. */
	regenerate: async (sessionId: string, answerId: string) => answered(await (await openTurns()).regenerate(sessionId, answerId)),
	/** Answers the last message again, after a turn that did not end well [E11]. Resolves as `send` does. */
	retry: async (sessionId: string) => answered(await (await openTurns()).retry(sessionId)),
	/** Goes on with an answer that ended before it was whole; what comes is a message below it. Resolves as `send` does. */
	continue: async (sessionId: string, answerId: string) => answered(await (await openTurns()).continue(sessionId, answerId)),
	/** Makes the unfinished answer of a session a message [E11]. */
	keep: async (sessionId: string) => (await openTurns()).keep(sessionId),
	/** Forgets the unfinished answer of a session [E11]. */
	discard: async (sessionId: string) => void (await (await openTurns()).discard(sessionId)),
	/** Servers that answer. Keys go in and never come out [P8]. */
	providers: {
		/** Asks a server for its models and keeps it; an address that is known already keeps its id. */
		connect: async (address: ServerAddress) => {
			const { provider, models } = await app.connectServer(address);
			return { id: provider.id, models };
		},
		list: () => app.providers.list(),
		remove: (id: string) => app.providers.remove(id, app.clock())
	},
	sessions: {
		/** Pinned ones first, then the newest first [A12]; `workspace` and `surface` narrow them down [E10]. */
		list: ({ limit = 20, ...rest }: SessionFilter & { limit?: number; offset?: number } = {}) => app.sessions.list({ limit, ...rest }),
		count: (filter?: SessionFilter) => app.sessions.count(filter),
		get: (id: string) => app.sessions.get(id),
		/** By id, title or words, in that order; ten at most [E4]. */
		find: findSessions,
		/** '' returns it to its automatic title [S2]. */
		rename: async (id: string, title: string) => (await openConversations()).renameSession(id, title),
		pin: async (ids: string | string[], pinned = true) => (await openConversations()).pinSessions([ids].flat(), pinned),
		/** Moves them to a workspace, where they are beside its thread; `home` is none. */
		move: async (ids: string | string[], workspace: string) => (await openConversations()).moveSessions([ids].flat(), workspace),
		/** Takes them out of the lists, or puts them back; `list({ archived: true })` has those that are out. */
		archive: async (ids: string | string[], archived = true) => (await openConversations()).archiveSessions([ids].flat(), archived),
		/** They can be brought back with `restore` for ten seconds. Resolves with the ids of those that were there [A14]. */
		delete: async (ids: string | string[]) => {
			const taken = await (await openConversations()).deleteSessions([ids].flat());
			await purgeLater();
			return taken;
		},
		/** Brings back what was deleted less than ten seconds ago: sessions, and by the ids that these resolved with, branches and erased texts. */
		restore: async (ids: string | string[]) => (await openConversations()).trash.restore([ids].flat())
	},
	messages: {
		/** The newest `limit` of the active path, after skipping `offset`; oldest first [E6]. */
		newest: async (sessionId: string, range?: { limit?: number; offset?: number }) => (await openConversations()).messages.newest(sessionId, range),
		/** Every message of every branch, by depth. */
		all: async (sessionId: string) => (await openConversations()).messages.all(sessionId)
	},
	tree: {
		/** The nodes, branch by branch; undefined where there is no session [Z9]. */
		get: async (sessionId: string) => (await (await openConversations()).openOutline()).read(sessionId),
		/** The same as lines of text; '' where there is no session. */
		text: async (sessionId: string) => {
			const [{ openOutline }, { formatOutline }] = await Promise.all([openConversations(), import('../conversation/outline')]);
			const outline = await (await openOutline()).read(sessionId);
			return outline ? formatOutline(outline) : '';
		},
		/** Makes a message the end of the active path; what is sent next follows it [Z9]. */
		moveTo: async (sessionId: string, messageId: string) => (await openConversations()).moveHead(sessionId, messageId),
		/** Goes on from a message to the end of the newest branch through it. */
		stepTo: async (sessionId: string, messageId: string) => (await openConversations()).stepTo(sessionId, messageId),
		/** Adds another version of an answer, marked as the user's, and goes there; nothing is sent [Z9]. Resolves with its id. */
		editAnswer: async (sessionId: string, answerId: string, text: string) => (await openConversations()).editAnswer(sessionId, answerId, { text }),
		/** Names a message; '' takes the name away. */
		label: async (sessionId: string, messageId: string, label: string) => (await openConversations()).label(sessionId, messageId, label),
		/** Marks the branch with this last message as the main one; null marks none. */
		setMain: async (sessionId: string, tipId: string | null) => (await openConversations()).setMain(sessionId, tipId),
		/** Deletes a message and all that follows it. Resolves with the id that brings it back, by `sessions.restore`, for ten seconds. */
		remove: async (sessionId: string, messageId: string) => {
			const id = await (await openConversations()).removeBranch(sessionId, messageId);
			await purgeLater();
			return id;
		},
		/** Erases the text of a message, whose place stays. Resolves as `remove` does. */
		erase: async (sessionId: string, messageId: string) => {
			const id = await (await openConversations()).redact(sessionId, messageId);
			await purgeLater();
			return id;
		}
	},
	scratchpad: {
		/** By name [A7]; the to-do list is the note `todo`. */
		list: async (sessionId: string) => (await openConversations()).scratchpad.list(sessionId),
		get: async (sessionId: string, name: string) => (await openConversations()).scratchpad.get(sessionId, name),
		/** Writes a note, as a whole. */
		set: async (sessionId: string, name: string, content: string) => (await openConversations()).scratchpad.set(sessionId, name, content, app.clock()),
		/** Resolves with what was there. */
		remove: async (sessionId: string, name: string) => (await openConversations()).scratchpad.remove(sessionId, name, app.clock())
	},
	context: {
		/** Tells what the next turn of a session would send, and why; undefined where there is no session [S7]. */
		preview: async (sessionId: string) => {
			const { context } = await openConversations();
			const rows = await context.rows(sessionId);
			return rows && context.view(rows);
		},
		/** Exactly what it would send, as JSON. */
		payload: async (sessionId: string) => (await openConversations()).context.payload(sessionId),
		/** The compactions of a session [A10]. */
		boundaries: async (sessionId: string) => (await openConversations()).compaction.ofSession(sessionId),
		/** Compacts a session now. Resolves with the boundary; `undo` takes it away. */
		compact: async (sessionId: string, strategy?: StrategyName) => {
			const { compaction } = await openConversations();
			const proposal = await compaction.propose(sessionId, strategy);
			return compaction.accept(proposal, proposal.summary);
		},
		undo: async (boundaryId: string) => (await openConversations()).compaction.undo(boundaryId),
		/** Sends a message in every turn, whatever its age, or no longer [S7]. */
		pin: async (sessionId: string, messageId: string, wanted = true) => (await openConversations()).context.pin(sessionId, messageId, wanted),
		/** Sends a message in no turn, or again. */
		exclude: async (sessionId: string, messageId: string, wanted = true) => (await openConversations()).context.exclude(sessionId, messageId, wanted),
		/** Sets what differs from the defaults for one session, or everywhere. */
		configure: async (overrides: ContextOverrides, sessionId?: string) => {
			const { context } = await openConversations();
			await (sessionId === undefined ? context.setEverywhere(overrides) : context.setSession(sessionId, overrides));
		}
	},
	/** The system prompt that new sessions begin with [Z2]; '' sends none. */
	systemPrompt: {
		get: () => defaultPrompt.text(),
		set: async (text: string) => void (await defaultPrompt.change(() => text))
	},
	/** Choices for a chat under names: a system prompt, parameters, a model, tools. */
	personas: {
		/** By name, with those that come with Snug (`ofSnug`). */
		list: () => personas.list(),
		/** Stores one in the place of any with its name. Resolves with that. */
		put: (persona: Parameters<typeof personas.save>[0]) => personas.save(persona),
		remove: async (name: string) => void (await personas.remove(name)),
		/** Puts one in the place of what a session has set; it counts from the next message on. Throws an AppError (`persona-absent`, `session-absent`). */
		use: async (sessionId: string, name: string) => {
			const choices = choicesOf(await personas.require(name));
			await (await openConversations()).changeNext(sessionId, (now) => withPersona(now, choices));
		},
		/** Has new sessions of a workspace begin with one, or with none. */
		setForWorkspace: async (workspace: string, name?: string) => {
			if (name !== undefined) await personas.require(name);
			await personas.setForWorkspace(workspace, name);
		},
		/** Returns one as a file, without what it allows. */
		export: async (name: string) => (await import('../app/persona-files')).personaFile(name),
		/** Adds the one of a file, under another name where its own is taken. */
		import: async (file: Blob) => (await import('../app/persona-files')).importPersona(file)
	},
	/** Tools that come with Snug. */
	tools: {
		/** All of them, and whether models may call them: in the chat, or in all that make no choice where none is named. */
		list: async (sessionId?: string) => {
			const on = await tools.inForce(sessionId);
			return choosableTools.map(({ name, label, about }) => ({ name, label, about, on: on.includes(name) }));
		},
		/** Switches one on or off, in the chat or in all. Throws an AppError (`tool-absent`, `session-absent`) for what is not there. */
		switch: async (name: string, on: boolean, sessionId?: string) => {
			if (!choosableTools.some((entry) => entry.name === name)) throw new AppError('tool-absent', 'There is no tool with this name here.');
			await tools.switch(name, on, sessionId);
		}
	},
	/**
	 * Messages of every branch, titles, labels and notes, best first, 20 unless `limit` says otherwise [E7]. `session` is its id; the higher
	 * the score, the better. It waits until everything is in the index. Rejects where a query is refused.
	 */
	search: async (query: string, options: SearchOptions = {}) => {
		const { hits, refused } = await search.find(query, { ...options, whole: true });
		if (refused !== undefined) throw new AppError('search-refused', refused);
		return hits.map(({ sessionId, session, snippet, ...hit }) => ({ ...hit, session: sessionId, sessionTitle: session, snippet: snippet.text }));
	},
	/** The session as text, in `format`; only `markdown` so far [A13]. */
	export: async (sessionId: string, format?: ExportId) => (await (await openConversations()).exportSession(sessionId, format)).text(),
	/**
	 * Imports a file of any format that Snug knows, and says what came of it: `kept` is new here, `merged` was here already, `skipped`
	 * does not come, and `offers` are off until `backup.accept`. With `dryRun` it says what would come, and writes nothing.
	 */
	import: async (file: Blob, { dryRun = false }: { dryRun?: boolean } = {}): Promise<Receipt> => {
		const [imports, { receiptOf }] = await Promise.all([app.openImports(), import('../transfer/imports/receipt')]);
		return receiptOf(dryRun ? await imports.inspect(file) : await imports.run(file));
	},
	backup: {
		/** Everything but keys, model files and calibrations, in a file that was read back [P2]. */
		create: async () => (await (await app.openBackup()).create()).file,
		/** Resolves with what came, what was left out, and what is on offer. A file that is not whole changes nothing. */
		restore: async (file: Blob) => (await app.openImports()).run(file),
		/** Takes servers and settings that an imported file offered: they decide what is sent, or where to. Resolves with the settings, and what each replaced. */
		accept: async (offers: Offers) => (await app.openImports()).acceptOffers(offers)
	},
	cleanup: {
		/** The sessions that were not changed for that many days, but pinned and open ones [E14]. */
		preview: async (rule: { olderThanDays: number }) => (await app.openCleanup()).preview(rule),
		/** They can be brought back with `sessions.restore` for a week. */
		run: async (ids: string[]) => (await app.openCleanup()).run(ids)
	},
	models: {
		list: () => app.models.list(),
		/**
		 * Says where answers come from, from now on: a server's model, or one on this device; in one chat where that is named. Throws an AppError (`model-absent`,
		 * `session-absent`) for what is not there.
		 */
		choose: (choice: ModelChoice, { sessionId }: { sessionId?: string } = {}) => app.chooseModel(choice, { sessionId }),
		/**
		 * The parameters of a chat, or the defaults of all where none is named (undefined). With `parameters` it sets them first, in the place of
		 * all that were set there. What is not set is not sent.
		 */
		parameters: async (sessionId?: string, parameters?: ModelParameters): Promise<ModelParameters> => {
			const { parameters: kept } = await openConversations();
			if (parameters) await kept.set(parameters, sessionId);
			return kept.get(sessionId);
		},
		/** Copies a GGUF file into the browser. */
		import: async (file: File) => (await app.openOnDevice()).import(file),
		/** Asks Hugging Face for repositories of GGUF files, the most downloaded first. Throws AppErrors (`hub-unreachable` and others). */
		search: async (words: string) => (await import('../app/model-hub')).modelHub.search(words),
		/** Asks Hugging Face for the models of a repository by its id, each with an `address` for `fetch`, and says which fit this tab. */
		files: async (repository: string) => (await import('../app/model-hub')).modelHub.files(repository),
		/** Downloads a GGUF file, going on where an earlier download of the same address stopped; what is said of it, such as its hash, is checked. */
		fetch: async (address: string | ModelAddress) => (await app.openOnDevice()).fetch(typeof address === 'string' ? { url: address } : address),
		remove: async (id: string) => {
			const model = await app.models.get(id);
			if (model) await (await app.openOnDevice()).remove(model);
		}
	}
};
