import wasmUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Message } from './conversation/message';
import type { Session } from './conversation/session';
import { resolveAnswerSource, type AnswerSource } from './engine/answer-source';
import { findDefaultWeights, type DefaultWeights } from './engine/local/default-weights';
import { OnDevice } from './engine/on-device';
import { pageReach } from './engine/server-reach';
import type { LocalServer } from './engine/servers';
import { Turns } from './engine/turns';
import { answeringSessions, whenNothingAnswers } from './locks/answering';
import { AppError } from './shared/app-error';
import { systemClock } from './shared/clock';
import { newId } from './shared/id';
import { Database } from './storage/database';
import { Drafts, type UnfinishedAnswer } from './storage/drafts';
import { Messages } from './storage/messages';
import { Models } from './storage/models';
import { Providers, type Provider } from './storage/providers';
import { Sessions } from './storage/sessions';
import { Settings } from './storage/settings';

/** The rows of one session that a transcript draws. `cutOff`: its row says that a turn runs, but no tab runs it. */
export interface ConversationRows {
	session: Session | undefined;
	messages: Message[];
	unfinished: UnfinishedAnswer | undefined;
	cutOff: boolean;
}

const clock = systemClock;
const db = new Database();
const sessions = new Sessions(db);
const messages = new Messages(db);
const drafts = new Drafts(db);
const settings = new Settings(db);
const providers = new Providers(db);
const models = new Models(db);

const onDevice = new OnDevice(async () => {
	const [{ ModelFiles }, { WllamaEngine }] = await Promise.all([
		import('./engine/local/model-files'),
		import('./engine/local/wllama-engine')
	]);
	const files = new ModelFiles({
		table: models,
		storage: navigator.storage,
		locks: navigator.locks,
		clock,
		newId,
		createWorker: () => new Worker(new URL('./engine/local/model-files-worker.ts', import.meta.url), { type: 'module' })
	});
	return { files, engine: new WllamaEngine(wasmUrl) };
});

let weights: Promise<DefaultWeights | undefined> | undefined;

/** The weights that the host offers beside this copy of the app; asked for once. */
function defaultWeights(): Promise<DefaultWeights | undefined> {
	return (weights ??= findDefaultWeights(new URL(import.meta.env.BASE_URL, location.href).href));
}

async function answerSource(): Promise<AnswerSource> {
	const [chosen, here, servers] = await Promise.all([settings.get('source'), models.list(), providers.list()]);
	return resolveAnswerSource(chosen, here, servers, await defaultWeights());
}

async function openModel(source: AnswerSource, signal: AbortSignal): Promise<LanguageModelV4> {
	if (source.kind === 'server') {
		const { openServer } = await import('./engine/providers/openai-compatible');
		return openServer(source.provider, source.model, { reach: pageReach() });
	}
	if (source.kind === 'none') throw new Error('a turn without a source');
	return onDevice.answerer(source, signal);
}

const turns = new Turns({
	db,
	locks: navigator.locks,
	newId,
	clock,
	surface: matchMedia('(display-mode: standalone)').matches ? 'pwa' : 'web',
	source: answerSource,
	openModel
});

/** What a transcript of the session's newest `limit` messages draws. Reads only rows, so that a live query can follow it. */
async function conversation(id: string, limit: number): Promise<ConversationRows> {
	const [session, newest, draft] = await Promise.all([sessions.get(id), messages.newest(id, { limit }), drafts.get(id)]);
	const cutOff = session?.status === 'running' && !(await answeringSessions(navigator.locks)).includes(id);
	return { session, messages: session ? newest : [], unfinished: draft?.answer, cutOff };
}

/** The session as a file [A13]. Throws an AppError if it is not there. */
async function exportSession(id: string, format: 'markdown' = 'markdown'): Promise<{ name: string; text: string }> {
	if (format !== 'markdown') throw new AppError('export-format', `There is no export format “${String(format)}”. Use “markdown”.`);
	const { exportMarkdown, exportName } = await import('./transfer/export/markdown');
	const session = await sessions.get(id);
	const head = await messages.headOf(id);
	if (!session || !head) throw new AppError('session-absent', `There is no session ${id} in this browser.`);
	return { name: exportName(session), text: exportMarkdown(session, await messages.all(id), head.id) };
}

/** Asks a server for its models and keeps it, under the address where it was found. Throws AppErrors; then nothing is kept. */
async function connectServer({ baseUrl, apiKey, name }: ServerAddress): Promise<{ provider: Provider; models: string[] }> {
	const [{ normaliseBaseUrl }, { listModels }] = await Promise.all([import('./engine/server-address'), import('./engine/servers')]);
	const url = normaliseBaseUrl(baseUrl);
	const server = { name: name ?? new URL(url).host, baseUrl: url, ...(apiKey ? { apiKey } : {}) };
	const found = await listModels(server, { reach: pageReach() });
	const known = (await providers.list()).find((provider) => provider.baseUrl === found.baseUrl);
	const provider: Provider = { ...(known ?? { id: newId(), createdAt: clock() }), ...server, baseUrl: found.baseUrl };
	await providers.put(provider);
	return { provider, models: found.models };
}

/** What the person says of a server. */
export interface ServerAddress {
	baseUrl: string;
	apiKey?: string;
	name?: string;
}

/**
 * Asks the browser, once, to keep this data when space runs short, and keeps its answer. Called after the first send,
 * when there is something to keep.
 */
async function askPersistence(): Promise<void> {
	if (await settings.get('persistence')) return;
	await settings.set('persistence', (await navigator.storage.persist()) ? 'granted' : 'denied');
}

/** Snug without a face: what the screens, the scripting surface and the tests call. */
export const app = {
	sessions,
	messages,
	drafts,
	settings,
	providers,
	models,
	onDevice,
	turns,
	defaultWeights,
	conversation,
	exportSession,
	connectServer,
	findLocalServers: async (): Promise<LocalServer[]> => (await import('./engine/servers')).probeLocal({ reach: pageReach() }),
	askPersistence,
	/** The sessions that are being answered now, in any tab. */
	answering: () => answeringSessions(navigator.locks),
	whenNothingAnswers: () => whenNothingAnswers(navigator.locks),
	deleteSession: (id: string) => sessions.delete(id, clock()),
	/** Rejects where the browser refuses to store. Everything else opens the database by itself. */
	open: async (): Promise<void> => void (await db.open()),
	/** Removes what was deleted and can't be brought back any more. */
	purge: () => sessions.purge(clock())
};
