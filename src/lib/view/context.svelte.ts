import { app } from '../app';
import { conversations } from '../app/conversations';
import { parseCommand } from '../commands/parse';
import { estimateMessage } from '../context/estimate';
import { unsentId, type Cut, type OutReason, type PlanItem } from '../context/plan';
import type { Trigger } from '../context/triggers';
import { countCovered } from '../conversation/boundary';
import type { ContextSettings } from '../conversation/context-settings';
import { excerptOf } from '../conversation/excerpt';
import { filesOf, textOf, type Message, type Part } from '../conversation/message';
import type { Unsent } from '../conversation/unsent';
import type { ContextView, Counting } from '../engine/turns/context-view';
import type { ModelProfile, WindowSource } from '../engine/turns/model-profile';
import type { ContextRows } from '../storage/context-rows';
import type { Draft } from '../storage/tables/drafts';
import { copy } from './export.svelte';
import { Live } from './live.svelte';
import { told } from './notices.svelte';

/** How many older messages are read at a time. */
const pageSize = 200;

/** What stands in a plan beside the messages of the path. */
export interface PartLine {
	kind: 'part';
	id: 'summary' | 'environment' | 'system';
	name: string;
	words: string;
	state: string;
	tokens: number;
}

/** A message of the path. Those that can't be sent, since they are too old or covered, are counted by length alone. */
export interface MessageLine {
	kind: 'message';
	id: string;
	name: string;
	words: string;
	/** Whether it is sent, and why, in words. */
	state: string;
	sent: boolean;
	tokens: number;
	pinned: boolean;
	excluded: boolean;
	/** It is in the composer. */
	unsent: boolean;
}

/** Messages of the path that were not read, and why they are not sent, in words. */
export interface UnreadLine {
	kind: 'unread';
	id: 'unread';
	words: string;
}

export type ContextLine = MessageLine | UnreadLine | PartLine;

/** What the inspector shows: the plan of the next turn, and its lines, newest first. */
export interface Inspected extends ContextView {
	lines: ContextLine[];
}

/** All of one moment; `older` goes on where the rows end, oldest first, system messages included. */
interface Read {
	rows: ContextRows;
	older: Message[];
}

/** What the model would be sent of a session along the path to its head, or to `at`, with what stands in its composer [S7]. */
export class ContextInspector {
	private endId: string | undefined;
	private limit = 0;
	private unsent: Unsent | undefined;
	private readonly seen: Live<Read | undefined, Inspected | undefined>;
	private readonly draft: Live<Draft | undefined>;

	/** `at`: a message's id, a node such as `n3`, or a label [Z9]. */
	constructor(
		readonly sessionId: string,
		at?: string
	) {
		this.seen = new Live(
			() => this.read(),
			(read) => this.look(read)
		);
		this.draft = new Live(() => app.drafts.get(sessionId));
		if (at !== undefined) void this.readTo(at);
	}

	get current(): Inspected | undefined {
		return this.seen.current;
	}
	get failure(): unknown {
		return this.seen.failure;
	}

	/** What stands in the composer, as it would be sent: in this tab or in the one that writes. A command is not sent. */
	get typed(): Unsent | undefined {
		const { composer = '', attachments = [] } = this.draft.current ?? {};
		const text = composer.trim();
		if ((text === '' && attachments.length === 0) || parseCommand(text)) return undefined;
		return { text, attachments };
	}

	/** Counts this as if it were sent. */
	count(unsent: Unsent | undefined): void {
		if (JSON.stringify(unsent) === JSON.stringify(this.unsent)) return;
		this.unsent = unsent;
		this.seen.finishAgain();
	}

	/** Looks again: what is known of the model is not in the rows. */
	refresh(): void {
		this.seen.finishAgain();
	}

	/** Reads more of the messages that are too old to be sent. */
	showMore(): void {
		this.limit += pageSize;
		this.seen.ask(() => this.read());
	}

	pin(messageId: string, wanted: boolean): Promise<void> {
		return told(() => conversations.context.pin(this.sessionId, messageId, wanted));
	}

	exclude(messageId: string, wanted: boolean): Promise<void> {
		return told(() => conversations.context.exclude(this.sessionId, messageId, wanted));
	}

	/** Puts on the clipboard what the model would be sent, to the letter. */
	copyAsSent(): Promise<void> {
		return told(async () => copy(await conversations.context.payload(this.sessionId, this.typed, this.endId), 'Copied as it would be sent.'));
	}

	private async readTo(at: string): Promise<void> {
		this.endId = (await conversations.findNode(this.sessionId, at))?.id;
		this.seen.ask(() => this.read());
	}

	private async read(): Promise<Read | undefined> {
		const rows = await conversations.context.rows(this.sessionId, this.endId);
		if (!rows) return undefined;
		const next = rows.path[0] ? rows.path[0].parentId : (rows.boundary?.upToId ?? rows.endId);
		if (this.limit === 0 || next === null) return { rows, older: [] };
		return { rows, older: (await conversations.messages.newestStretch(this.sessionId, { limit: this.limit, at: next })).path };
	}

	private async look(read: Read | undefined): Promise<Inspected | undefined> {
		if (!read) return undefined;
		const view = await conversations.context.view(read.rows, this.unsent);
		return { ...view, lines: linesOf(view, read.older) };
	}
}

/** The plan as lines, newest first: what is pinned and older than all that was read stands below what was not. */
export function linesOf(view: Pick<ContextView, 'plan' | 'rows'>, older: Message[]): ContextLine[] {
	const { plan, rows } = view;
	const isPinned = (message: Message) => rows.olderPinned.some(({ id }) => id === message.id);
	const read = plan.items.filter(({ message }) => !isPinned(message));
	const pinned = plan.items.filter(({ message }) => isPinned(message));
	const more = older.filter((message) => message.role !== 'system' && !isPinned(message));
	const oldestRead = older[0] ?? rows.path[0];
	const isRead = ({ message }: PlanItem) => oldestRead !== undefined && message.depth >= oldestRead.depth;

	const planned = (item: PlanItem) => ({ depth: item.message.depth, line: plannedLine(item, rows) });
	const among = [
		...more.map((message) => ({ depth: message.depth, line: olderLine(message, rows) })),
		...pinned.filter(isRead).map(planned)
	];
	const left = plan.unread.count - more.length;
	const covered = plan.unread.covered - more.filter((message) => isCovered(message, rows)).length;
	return [
		...read.map(planned).reverse(),
		...among.sort((a, b) => b.depth - a.depth),
		...(left > 0 && oldestRead?.parentId !== null ? [{ line: unreadLine(left, Math.min(left, Math.max(0, covered)), rows) }] : []),
		...pinned
			.filter((item) => !isRead(item))
			.map(planned)
			.reverse(),
		...partLines(view).map((line) => ({ line }))
	].map(({ line }) => line);
}

function plannedLine({ message, tokens, state }: PlanItem, { settings, pins, excludes }: ContextRows): MessageLine {
	return {
		kind: 'message',
		id: message.id,
		...headOf(message),
		state: state.in ? sentWords(state.reason, state.cut) : capitalised(outWords(state.reason, settings)),
		sent: state.in,
		tokens,
		pinned: pins.includes(message.id),
		excluded: excludes.includes(message.id),
		unsent: message.id === unsentId
	};
}

function olderLine(message: Message, rows: ContextRows): MessageLine {
	const excluded = rows.excludes.includes(message.id);
	const reason = excluded ? 'excluded' : isCovered(message, rows) ? 'covered' : 'count';
	return {
		kind: 'message',
		id: message.id,
		...headOf(message),
		state: capitalised(outWords(reason, rows.settings)),
		sent: false,
		tokens: estimateMessage(message),
		pinned: false,
		excluded,
		unsent: false
	};
}

function isCovered({ depth }: Message, { boundary }: ContextRows): boolean {
	return boundary !== undefined && depth <= boundary.depth;
}

function unreadLine(count: number, covered: number, { settings }: ContextRows): UnreadLine {
	const reasons = [
		{ count: covered, why: outWords('covered', settings) },
		{ count: count - covered, why: outWords('count', settings) }
	].filter((reason) => reason.count > 0);
	const whys = reasons.map((reason) => (reasons.length === 1 ? reason.why : `${reason.count.toLocaleString()} ${reason.why}`));
	return { kind: 'unread', id: 'unread', words: `${counted(count, 'older message')}${reasons.length === 1 ? ',' : ':'} ${whys.join(', ')}.` };
}

function partLines({ plan }: Pick<ContextView, 'plan'>): PartLine[] {
	const { summary, environment, system, totals } = plan;
	const part = (id: PartLine['id'], name: string, text: string, tokens: number, state: string): PartLine[] =>
		text === '' ? [] : [{ kind: 'part', id, name, words: excerptOf(text, 120), tokens, state }];
	return [
		...part('environment', 'Session info', environment, totals.environment, 'Sent after the summary: date, notes, to-do list'),
		...part(
			'summary',
			'Summary',
			summary?.text ?? '',
			totals.summary,
			`Sent instead of ${counted(summary ? countCovered(summary.boundary) : 0, 'message')}${summary?.cut ? ', cut to fit' : ''}`
		),
		...part('system', 'System prompt', system, totals.system, 'Sent first')
	];
}

function headOf(message: Message): { name: string; words: string } {
	return { name: nameOf(message), words: excerptOf(wordsOf(message), 120) };
}

function nameOf({ id, role, parts }: Message): string {
	if (id === unsentId) return 'Not sent yet';
	if (role === 'assistant') return 'Assistant';
	if (role !== 'tool') return 'You';
	const result = parts.find((part) => part.type === 'tool-result');
	return result ? `Tool ${result.toolName}` : 'Tool';
}

function wordsOf(message: Message): string {
	const text = textOf(message);
	if (text.trim() !== '') return text;
	const files = filesOf(message).map(({ name }) => name);
	return files.length > 0 ? files.join(', ') : message.parts.map(partWords).find((words) => words !== '') || 'Nothing';
}

function partWords(part: Part): string {
	switch (part.type) {
		case 'tool-call':
			return `Calls ${part.toolName}`;
		case 'tool-result':
			return typeof part.output === 'string' ? part.output : (JSON.stringify(part.output) ?? '');
		case 'reasoning':
			return part.text;
		case 'redacted':
			return 'Text erased';
		case 'unreadable':
			return 'Can’t be read';
		default:
			return '';
	}
}

const cutWords: Record<Cut, string> = { image: 'without its images', result: 'its tool result shortened', text: 'its text shortened' };

function sentWords(reason: 'pinned' | 'recent' | 'fits', cut: Cut | undefined): string {
	const why = { pinned: ' (pinned)', recent: ' (recent)', fits: '' }[reason];
	return `Sent${why}${cut ? `, ${cutWords[cut]}` : ''}`;
}

function capitalised(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns why a message is not sent, to stand after others or, capitalised, alone. */
function outWords(reason: OutReason, { contextMessages }: ContextSettings): string {
	switch (reason) {
		case 'excluded':
			return 'excluded';
		case 'covered':
			return 'replaced by the summary';
		case 'count':
			return `left out: older than the newest ${contextMessages.toLocaleString()}`;
		case 'budget':
			return 'left out: no room';
		case 'stride':
			return 'left out: keeps the start of the prompt unchanged';
		case 'orphan':
			return 'left out: its tool call or result is missing';
		case 'dropped':
			return 'left out: makes room for the rest';
	}
}

/** What the next turn does, as sentences: what it sends, what it has to leave out or cut, and what comes after it. */
export function nextTurnWords({ plan, compactsBy }: Pick<ContextView, 'plan' | 'compactsBy'>): string[] {
	const sent = plan.items.filter(({ state }) => state.in).length;
	const crowded = plan.items.filter(({ state }) => !state.in && (state.reason === 'budget' || state.reason === 'dropped')).length;
	const cut = plan.items.filter(({ state }) => state.in && state.cut).length;
	const tokens = `${plan.totals.total.toLocaleString()} of ${counted(plan.window, 'token')}`;
	return [
		`The next turn sends ${counted(sent, 'message')}, ${tokens}.`,
		...(crowded > 0 ? [`There is no room for ${counted(crowded, 'more message', 'more')}.`] : []),
		...(cut > 0 ? [`${counted(cut, 'message has', 'messages have')} to be cut to fit.`] : []),
		...(plan.fits ? [] : ['Even so it is too long for this model: exclude something, or make the message shorter.']),
		...(compactsBy ? [`After that, the conversation is compacted (${compactsBy}).`] : [])
	];
}

/** A part of the window, in tokens. */
export interface WindowPart {
	name: 'system' | 'summary' | 'environment' | 'pinned' | 'messages' | 'unsent' | 'tools' | 'reserve' | 'free';
	label: string;
	tokens: number;
}

/** How the window is used; parts without tokens are left out, save what is free. */
export function windowParts({ totals, window, reserve, budget, items }: ContextView['plan']): WindowPart[] {
	const unsent = items.find(({ message, state }) => message.id === unsentId && state.in)?.tokens ?? 0;
	const tools = Math.max(0, window - reserve - budget);
	const parts: WindowPart[] = [
		{ name: 'system', label: 'System prompt', tokens: totals.system },
		{ name: 'summary', label: 'Summary', tokens: totals.summary },
		{ name: 'environment', label: 'Session info', tokens: totals.environment },
		{ name: 'pinned', label: 'Pinned', tokens: totals.pinned },
		{ name: 'messages', label: 'Messages', tokens: totals.messages - unsent },
		{ name: 'unsent', label: 'Not sent yet', tokens: unsent },
		{ name: 'tools', label: 'Tools', tokens: tools },
		{ name: 'reserve', label: 'Kept free for the answer', tokens: Math.min(reserve, window) },
		{ name: 'free', label: 'Free', tokens: Math.max(0, budget - totals.total) }
	];
	return parts.filter(({ name, tokens }) => tokens > 0 || name === 'free');
}

const windowSources: Record<WindowSource, string> = {
	person: 'set here',
	engine: 'as loaded on this device',
	server: 'reported by the server',
	file: 'from the model’s file',
	name: 'known for this model',
	assumed: 'assumed'
};

/** Returns how large the window is and how that is known, without a full stop. */
export function windowWords({ window, windowFrom }: Pick<ModelProfile, 'window' | 'windowFrom'>): string {
	return `${counted(window, 'token')}, ${windowSources[windowFrom]}`;
}

/** Says how large a model's window is, and how that is known. */
export function windowSentence(model: Pick<ModelProfile, 'window' | 'windowFrom' | 'name'>): string {
	if (model.windowFrom === 'assumed') return `Context size unknown; assuming ${counted(model.window, 'token')}.`;
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
	return `${how}; recent ${kind === 'estimate' ? 'ones' : 'counts'} were ${about === 0 ? 'right' : `within about ${about.toLocaleString()} %`}.`;
}

/** What a reason for compaction counts, and how far it is. */
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

function counted(count: number, one: string, many = `${one}s`): string {
	return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
