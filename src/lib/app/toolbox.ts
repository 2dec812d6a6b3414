import type { AnswerSource } from '../engine/providers/answer-source';
import type { Toolbox } from '../engine/turns/toolbox';
import { nameOf } from '../conversation/session';
import { isTemporary } from '../shared/is-temporary';
import { lazy } from '../shared/lazy';
import { Messages } from '../storage/messages';
import { Sessions } from '../storage/sessions';
import { readToolChoices } from '../storage/tool-choices';
import type { ReadSession, Search } from '../tools/ports';
import { answerProviders } from './answer-providers';
import { clock, db } from './environment';
import { runScript } from './script-frame';
import { search } from './search';

/** Milliseconds that a model waits for the search index at most. */
const longestWait = 20_000;

/** Loaded where a chat has tools. */
const openRegistry = lazy(async () => {
	const { ToolRegistry } = await import('../tools/registry');
	return new ToolRegistry({ clock, search: searchAll, readSession, runScript });
});

/** Tools that read other chats. Nothing of those is on the page of a temporary chat. */
const ofOtherChats: readonly string[] = ['session_search', 'session_read'];

/** Opens what the model of a source may call in a chat: what the user chose, where the model takes tools at all. */
export async function openToolbox(sessionId: string, source: AnswerSource): Promise<Toolbox> {
	const { names, maxSteps } = await readToolChoices(db, sessionId);
	const here = names.filter((name) => !isTemporary() || !ofOtherChats.includes(name));
	if (here.length === 0 || !(await answerProviders.find(source.protocol))?.takesTools) return { tools: [], maxSteps };
	return { tools: await (await openRegistry()).load(here), maxSteps };
}

/** Waits for the index where it does not have all yet: a model would take what is missing for what was never said. */
const searchAll: Search = async (query, options, signal) => {
	const latest = clock() + longestWait;
	let found = await search.find(query, options);
	while (found.progress && clock() < latest) {
		await new Promise((resolve) => setTimeout(resolve, 250));
		signal.throwIfAborted();
		found = await search.find(query, options);
	}
	return found;
};

const readSession: ReadSession = async (sessionId, { limit, until }) => {
	const session = await new Sessions(db).get(sessionId);
	if (!session) return undefined;
	const { path, end } = await new Messages(db).newestStretch(sessionId, { limit, at: until });
	return until === undefined || end?.id === until ? { title: nameOf(session), messages: path } : undefined;
};
