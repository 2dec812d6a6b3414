import { unsentId } from '../context/plan';
import type { Trigger } from '../context/triggers';
import type { ContextView, Counting } from '../engine/turns/context-view';
import type { ModelProfile, WindowSource } from '../engine/turns/model-profile';


/** Says what the next turn does, as sentences: what it sends, what it has to leave out or cut, and what comes after it. */
export function nextTurnWords({ plan, compactsBy }: Pick<ContextView, 'plan' | 'compactsBy'>): string[] {
	const sent = plan.items.filter(({ state }) => state.in).length;
	const crowded = plan.items.filter(({ state }) => !state.in && (state.reason === 'budget' || state.reason === 'dropped')).length;
	const cut = plan.items.filter(({ state }) => state.in && state.cut).length;
	const sum = plan.totals.total + plan.toolTokens;
	const total = counted(sum, 'token');
	const tokens = Number.isFinite(plan.window) ? `${sum.toLocaleString()} of ${counted(plan.window, 'token')}` : total;
	return [
		`The next turn sends ${counted(sent, 'message')}, ${tokens}.`,
		...(crowded > 0 ? [`There is no room for ${counted(crowded, 'more message', 'more')}.`] : []),
		...(cut > 0 ? [`${counted(cut, 'message has', 'messages have')} to be cut to fit.`] : []),
		...(plan.fits ? [] : ['Even so it is too long for this model: exclude something, or make the message shorter.']),
		...(compactsBy ? [`After that, the chat is compacted (${compactsBy}).`] : [])
	];
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
	return Number.isFinite(window) ? `${counted(window, 'token')}, ${windowSources[windowFrom]}` : windowSources[windowFrom];
}

/** Says how large a model's window is, and how that is known. */
export function windowSentence(model: Pick<ModelProfile, 'window' | 'windowFrom' | 'name'>): string {
	if (model.windowFrom === 'unknown') return 'Context size unknown, so nothing is left out. If the server says that a prompt is too long, Snug sends less next time.';
	return `Context size${model.name ? ` of ${model.name}` : ''}: ${windowWords(model)}.`;
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
