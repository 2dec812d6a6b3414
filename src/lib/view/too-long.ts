import { conversations } from '../app/conversations';
import type { AppError } from '../shared/app-error';
import { isShortened } from './context-words';

/** The last refusal of each chat, the prompt that another try sends after it, and what is said of that. */
const refusals = new Map<string, { failure: AppError; prompt: string; words: string }>();

/**
 * Says what comes of another try where a server has refused a chat along the path to `at` as too long: it sends less, or the same once more, as where all
 * has room by Snug's count. '' where the window is known otherwise than from the server.
 */
export async function wordsOfRetry(failure: AppError, sessionId: string, at: string | undefined): Promise<string> {
	const last = refusals.get(sessionId);
	if (last?.failure === failure) return last.words;
	const rows = await conversations.context.rows(sessionId, at);
	if (!rows) return '';
	const { plan, model } = await conversations.context.view(rows);
	if (model.windowFrom !== 'server' && model.windowFrom !== 'unknown') return '';
	const prompt = JSON.stringify([plan.totals, plan.items.map(({ message, state, tokens }) => state.in && [message.id, tokens])]);
	const isLess = isShortened(plan) && prompt !== last?.prompt;
	const words = isLess ? 'Retry and Snug will send less.' : 'There is nothing more to leave out: choose another model.';
	refusals.set(sessionId, { failure, prompt, words });
	return words;
}
