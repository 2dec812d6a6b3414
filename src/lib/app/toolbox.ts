import { withoutExcluded } from '../context/units';
import type { AnswerSource } from '../engine/providers/answer-source';
import type { Toolbox } from '../engine/turns/toolbox';
import type { Tool } from '../tools/tool';
import { nameOf } from '../conversation/session';
import { isNamedBy } from '../conversation/title';
import { lazy } from '../shared/lazy';
import { isServerTool } from '../shared/server-tool-name';
import { waitFor } from '../shared/wait-for';
import { KeptResults } from '../storage/kept-results';
import { Messages } from '../storage/messages';
import { Scratchpad } from '../storage/scratchpad';
import { Sessions } from '../storage/sessions';
import { withStorageErrors } from '../storage/storage-failure';
import { readToolChoices } from '../storage/tool-choices';
import { correctionsIn } from '../search/corrections';
import type { Files, Notes, ReadResult, ReadSession, Search } from '../tools/ports';
import { answerProviders } from './answer-providers';
import { clock, db } from './environment';
import { openFolder } from './open-folder';
import { readPage } from './read-page';
import { runScript } from './script-frame';
import { search } from './search';

/** Milliseconds that a model waits for the search index at most. */
const longestWait = 20_000;

/** Loaded where a chat has tools. */
const openRegistry = lazy(async () => {
	const { entriesHere, entriesOfResults, ToolRegistry } = await import('../tools/registry');
	return new ToolRegistry({ clock, search: searchAll, readSession, readResult, runScript, readPage, notes, files }, [...entriesHere(), ...entriesOfResults]);
});

/** Opens what the model of a source may call in a chat: what the user chose, where the model takes tools at all. */
export async function openToolbox(sessionId: string, source: AnswerSource): Promise<Toolbox> {
	const { names, ...choices } = await readToolChoices(db, sessionId);
	const chosen = await loadTools(sessionId, names);
	const isTaken = chosen.length > 0 && (await (await answerProviders.find(source.protocol))?.takesTools(source));
	return { tools: isTaken ? chosen : [], chosen, ...choices };
}

/** Loads those of these tools that there are in a chat. */
export async function loadTools(sessionId: string, names: readonly string[]): Promise<Tool[]> {
	if (names.length === 0) return [];
	const [own, others] = await Promise.all([loadOwn(sessionId, names), names.some(isServerTool) ? import('./tool-servers').then(({ toolServers }) => toolServers.tools(names)) : []]);
	return [...own, ...others];
}

/** Loads those that come with Snug. */
async function loadOwn(sessionId: string, names: readonly string[]): Promise<Tool[]> {
	const [registry, { entriesOfResults, toolsOfFolder }, folder, hasKept] = await Promise.all([openRegistry(), import('../tools/registry'), openFolder(sessionId), kept.isAny(sessionId)]);
	return registry.load([...(folder ? names : names.filter((name) => !toolsOfFolder.includes(name))), ...(hasKept ? entriesOfResults.map(({ name }) => name) : [])]);
}

/** Waits for the index where it does not have all yet: a model would take what is missing for what was never said. */
const searchAll: Search = async (query, options, signal) => {
	const latest = clock() + longestWait;
	let found = await search.find(query, options);
	while (found.progress && clock() < latest) {
		await waitFor(250, signal);
		found = await search.find(query, options);
	}
	const { excluded, namedAfter } = await keptFromModels(found.hits.map(({ sessionId }) => sessionId));
	const hits = found.hits.filter(({ id }) => !excluded.has(id)).map((hit) => (namedAfter.has(hit.sessionId) ? { ...hit, session: unnamed } : hit));
	return { ...found, hits, total: found.total - (found.hits.length - hits.length), correctionsIn: (told) => correctionsIn(found.typos, told) };
};

const readSession: ReadSession = async (sessionId, { limit, until }) => {
	const session = await new Sessions(db).get(sessionId);
	if (!session) return undefined;
	const { path, end } = await new Messages(db).newestStretch(sessionId, { limit, at: until });
	if (until !== undefined && end?.id !== until) return undefined;
	const { excluded, namedAfter } = await keptFromModels([sessionId]);
	return { title: namedAfter.has(sessionId) ? unnamed : nameOf(session), messages: withoutExcluded(path, excluded) };
};

const kept = new KeptResults(db);

const readResult: ReadResult = (name, { sessionId, call }) => kept.find(sessionId, name, call?.answerId);

/** Returns the ids of the messages of these chats that the user keeps from models, and of the chats whose name Snug made of one. */
async function keptFromModels(sessionIds: string[]): Promise<{ excluded: ReadonlySet<string>; namedAfter: ReadonlySet<string> }> {
	const rows = (await db.contexts.bulkGet([...new Set(sessionIds)])).flatMap((row) => (row && row.excludes.length > 0 ? [row] : []));
	const named = rows.map(async ({ sessionId, excludes }) => {
		const [session, messages] = await Promise.all([db.sessions.get(sessionId), db.messages.where('id').anyOf(excludes).toArray()]);
		return session && messages.some((message) => isNamedBy(session, message)) ? [sessionId] : [];
	});
	return { excluded: new Set(rows.flatMap(({ excludes }) => excludes)), namedAfter: new Set((await Promise.all(named)).flat()) };
}

const unnamed = nameOf({ title: '', preview: '' });

const scratchpad = new Scratchpad(db);

const notes: Notes = {
	list: async (sessionId) => (await scratchpad.list(sessionId)).map(({ name, content }) => ({ name, characters: content.length })),
	read: async (sessionId, name) => (await scratchpad.get(sessionId, name))?.content,
	change: (sessionId, name, next) => withStorageErrors(scratchpad.change(sessionId, name, next, clock()))
};

const openFolders = lazy(async () => (await import('./folders')).folders);

const files: Files = {
	list: async (path, most, context) => (await openFolders()).list(path, most, context),
	read: async (path, context) => (await openFolders()).read(path, context),
	openedId: async (context) => (await openFolders()).openedId(context),
	change: async (path, next, context) => (await openFolders()).change(path, next, context)
};
