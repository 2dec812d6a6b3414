import { unsentId, type OutReason } from '../context/plan';
import type { Trigger } from '../context/triggers';
import { strategyFor } from '../conversation/context-settings';
import { strategyLabels } from '../conversation/strategy-lines';
import type { ContextView, Counting } from '../engine/turns/context-view';
import type { ModelProfile, WindowSource } from '../engine/turns/model-profile';

/** Says what the next message does, as sentences: what it sends, what it has to leave out or cut and why, and what comes after it. */
export function nextTurnWords({ plan, compactsBy, rows: { settings } }: Pick<ContextView, 'plan' | 'compactsBy' | 'rows'>): string[] {
	const sent = plan.items.filter(({ state }) => state.in).length;
	const older = tooOld(plan);
	const crowded = outFor(plan, 'budget', 'dropped');
	const waiting = outFor(plan, 'stride');
	const cut = plan.items.filter(({ state }) => state.in && state.cut).length;
	const sum = plan.totals.total + plan.toolTokens;
	const total = counted(sum, 'token');
	const tokens = Number.isFinite(plan.window) ? `${sum.toLocaleString()} of ${counted(plan.window, 'token')}` : total;
	return [
		`The next message sends ${counted(sent, 'message')}, ${tokens}.`,
		...(older > 0 ? [`${counted(older, 'older message is', 'older messages are')} left out: at most the newest ${settings.contextMessages.toLocaleString()} are sent.`] : []),
		...(crowded > 0 ? [`There is no room for ${counted(crowded, 'more message', 'more')}.`] : []),
		...(waiting > 0 ? [`${counted(waiting, 'more is', 'more are')} left out, so that the model need not read the start anew each time.`] : []),
		...(cut > 0 ? [`${counted(cut, 'message has', 'messages have')} to be cut to fit.`] : []),
		...(plan.fits ? [] : ['Even so it is too long for this model: exclude something, or make the message shorter.']),
		...(compactsBy ? [`After that, the chat is compacted (${compactsBy}).`] : [])
	];
}

/** Counts the messages that are left out for being older than the newest ones that are sent at most. */
export function tooOld(plan: ContextView['plan']): number {
	return outFor(plan, 'count') + plan.unread.count - plan.unread.covered;
}

/** Tells whether anything is left out or cut for lack of room. */
export function isShortened(plan: ContextView['plan']): boolean {
	return outFor(plan, 'budget', 'dropped') > 0 || plan.summary?.cut === true || plan.emergency !== undefined;
}

function outFor({ items }: ContextView['plan'], ...reasons: OutReason[]): number {
	return items.filter(({ state }) => !state.in && reasons.includes(state.reason)).length;
}

/** A part of the window, in tokens. */
export interface WindowPart {
	name: 'system' | 'summary' | 'environment' | 'pinned' | 'messages' | 'unsent' | 'tools' | 'reserve' | 'free';
	label: string;
	tokens: number;
}

/** Divides the window by use; parts without tokens are left out, save what is free, which a window that is not known does not have. */
export function windowParts({ totals, window, reserve, toolTokens, budget, items }: ContextView['plan']): WindowPart[] {
	const unsent = items.find(({ message, state }) => message.id === unsentId && state.in)?.tokens ?? 0;
	const isKnown = Number.isFinite(window);
	const parts: WindowPart[] = [
		{ name: 'system', label: 'System prompt', tokens: totals.system },
		{ name: 'summary', label: 'Summary', tokens: totals.summary },
		{ name: 'environment', label: 'Chat info', tokens: totals.environment },
		{ name: 'pinned', label: 'Pinned', tokens: totals.pinned },
		{ name: 'messages', label: 'Messages', tokens: totals.messages - unsent },
		{ name: 'unsent', label: 'Not sent yet', tokens: unsent },
		{ name: 'tools', label: 'Tools', tokens: toolTokens },
		{ name: 'reserve', label: 'Kept free for the answer', tokens: isKnown ? Math.min(reserve, window) : 0 },
		{ name: 'free', label: 'Free', tokens: Math.max(0, budget - totals.total) }
	];
	return parts.filter(({ name, tokens }) => tokens > 0 ? Number.isFinite(tokens) : name === 'free');
}

const windowSources: Record<WindowSource, string> = {
	user: 'set here',
	engine: 'as loaded on this device',
	server: 'reported by the server',
	file: 'from the model’s file',
	name: 'known for this model',
	unknown: 'not known'
};

/** Returns how large the window is and how that is known, without a full stop. */
export function windowWords({ window, windowFrom }: Pick<ModelProfile, 'window' | 'windowFrom'>): string {
	if (!Number.isFinite(window)) return windowSources[windowFrom];
	return `${counted(window, 'token')}, ${windowFrom === 'unknown' ? 'guessed, since a prompt was too long' : windowSources[windowFrom]}`;
}

/** Says how large the window of the model of a plan is, how that is known, and where it is not, what comes of it. */
export function windowSentence({ plan, model }: Pick<ContextView, 'plan' | 'model'>): string {
	if (model.windowFrom !== 'unknown') return `Context size${model.name ? ` of ${model.name}` : ''}: ${windowWords(model)}.`;
	if (Number.isFinite(model.window)) {
		return `Context size unknown. Since the server said that a prompt was too long, Snug goes by ${counted(model.window, 'token')} until this page is loaded again.`;
	}
	const out = plan.items.length - plan.items.filter(({ state }) => state.in).length - outFor(plan, 'covered') + plan.unread.count - plan.unread.covered;
	return `Context size unknown, so nothing is left out${out > 0 ? ' for lack of room' : ''}. If the server says that a prompt is too long, Snug sends less next time.`;
}

/** Says when the chat is compacted by itself, above the reasons for that, or why it never is. */
export function compactionWords({ triggers, rows: { settings }, model }: Pick<ContextView, 'triggers' | 'rows' | 'model'>): string {
	if (triggers.length > 0) return settings.autoCompact ? 'After a turn, when one of these is full.' : 'Off. It would be due when one of these is full.';
	if (!settings.autoCompact) return 'Off in the settings.';
	return `Off: the context size is not known, and the strategy “${strategyLabels[strategyFor(settings, model)]}” has no other limit to compact at.`;
}

/** Says how tokens are counted, and within how much the recent counts were right. */
export function countingWords({ kind, errors }: Counting): string {
	const how = {
		exact: 'Counted with the model’s own tokenizer',
		tokenizer: 'Counted with OpenAI’s tokenizer for this model',
		estimate: 'Estimate'
	}[kind];
	if (errors.length === 0) return kind === 'estimate' ? `${how}; the model has not reported a count yet.` : `${how}.`;
	const percent = Math.max(...errors.slice(0, 3).map(Math.abs)) * 100;
	const about = percent < 10 ? Math.ceil(percent) : Math.round(percent / 10) * 10;
	if (percent > 50) return `${how === 'Estimate' ? 'Rough estimate' : how}; recent ones were off by up to ${about.toLocaleString()} %.`;
	return `${how}; recent ${kind === 'estimate' ? 'ones' : 'counts'} were ${about === 0 ? 'right' : `within about ${about.toLocaleString()} %`}.`;
}

/** Says what a reason for compaction counts, and how far it is. */
export function triggerWords({ name, value, limit }: Trigger, compacted: boolean): { label: string; figures: string } {
	const since = compacted ? 'since the last compaction' : 'since the beginning';
	const label = {
		window: 'Tokens of the window',
		messages: `Messages ${since}`,
		bytes: `Kilobytes ${since}`,
		tokens: `Tokens ${since}`
	}[name];
	const unit = name === 'bytes' ? 1024 : 1;
	const figure = (number: number) => Math.round(number / unit).toLocaleString();
	return { label, figures: `${figure(value)} of ${figure(limit)}` };
}

/** Writes a number with its noun, as in “2 messages”. */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
