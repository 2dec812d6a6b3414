import type { ToolCall } from '../conversation/open-calls';
import { AppError } from '../shared/app-error';
import { unlessAborted } from '../shared/unless-aborted';
import { callStates } from '../storage/checkpoints';
import { FileChanges } from '../storage/file-changes';
import { Scratchpad } from '../storage/scratchpad';
import type { CallState, Decision } from '../storage/tables/checkpoints';
import { readToolChoices, type ToolChoices } from '../storage/tool-choices';
import { digestOf, verdictOf } from '../tools/approvals';
import type { CallPreview, Tool, ToolResult } from '../tools/tool';
import { db } from './environment';
import { openFolder } from './open-folder';
import { loadTools } from './toolbox';

/** A call about which the user is to be asked. */
export interface AskedCall {
	call: ToolCall;
	asks: NonNullable<Tool['asks']>;
	preview: CallPreview;
	/** The digest of what is shown. */
	seen: string;
	/** True where it had begun, so that its effect may be there. */
	mayHaveRun: boolean;
}

/** The calls of an answer: those about which the user is to be asked, in order, and which of the others may run by now or not, by their ids. */
export interface CallsToDecide {
	asked: AskedCall[];
	decided: Map<string, Decision>;
}

/** Knowledge of an answer's calls, and of the tools. */
export type KnownOfCalls = ToolChoices & { states: CallState[] };

/** Reads what is known of an answer's calls; reads rows only, those too that previews are made of. */
export async function readCalls(sessionId: string, answerId: string): Promise<KnownOfCalls> {
	const [states, choices] = await Promise.all([
		callStates(db, sessionId, answerId),
		readToolChoices(db, sessionId),
		new Scratchpad(db).list(sessionId),
		openFolder(sessionId),
		new FileChanges(db).list(sessionId)
	]);
	return { ...choices, states };
}

/** Returns what is to be decided about an answer's calls, as far as the first that are asked about at once. Throws an AppError (`preview-slow`) where it can't be told in time what one will do. */
export async function askedCalls(sessionId: string, calls: readonly ToolCall[], { names, allowed, states }: KnownOfCalls): Promise<CallsToDecide> {
	const tools = await loadTools(sessionId, names);
	const asked: AskedCall[] = [];
	const decided: CallsToDecide['decided'] = new Map();
	for (const call of calls) {
		if (asked.length === askedAtOnce) break;
		const tool = tools.find(({ name }) => name === call.toolName);
		if (!tool?.asks) continue;
		const preview = await previewOf(tool, call, sessionId);
		if (!preview || 'isError' in preview) continue;
		const state = states.find(({ toolCallId }) => toolCallId === call.toolCallId);
		const seen = await digestOf(call, preview);
		const verdict = verdictOf(tool, state, { allowed, digest: seen, scope: preview.scope });
		if (verdict === 'ask' || verdict === 'ask-again') asked.push({ call, asks: tool.asks, preview, seen, mayHaveRun: verdict === 'ask-again' });
		else decided.set(call.toolCallId, verdict === 'run' ? 'allowed' : 'denied');
	}
	return { asked, decided };
}

/** Tells what a call will do, or why it can do nothing. A file may be where it can't be reached by now. */
async function previewOf(tool: Tool, { input }: ToolCall, sessionId: string): Promise<CallPreview | ToolResult | undefined> {
	const signal = AbortSignal.timeout(previewTimeoutMs);
	try {
		return await unlessAborted(Promise.resolve(tool.preview?.(input, { sessionId, signal })), signal);
	} catch (error) {
		if (!signal.aborted) throw error;
		throw new AppError('preview-slow', 'What the model asks for could not be found out in time. Resume tries again.', { retryable: true });
	}
}

/** Calls that are shown at once: an answer may have many, and each takes a while to be compared and drawn. The next come as these are decided. */
const askedAtOnce = 3;

/** Milliseconds that a preview may take. */
const previewTimeoutMs = 10_000;
