import { estimateMessage } from '../context/estimate';
import { unsentId, type Cut, type InReason, type OutReason, type PlanItem } from '../context/plan';
import { countCovered } from '../conversation/boundary';
import type { ContextSettings } from '../conversation/context-settings';
import { excerptOf } from '../conversation/excerpt';
import { filesOf, textOf, type Message, type Part } from '../conversation/message';
import { partText } from '../conversation/part-text';
import type { ContextView } from '../engine/turns/context-view';
import { plainName } from '../shared/file-name';
import { readableToolName } from '../shared/server-tool-name';
import type { ContextRows } from '../storage/context-rows';
import { counted } from './context-words';
import { speakerOf } from './speaker';

/** A part of a plan beside the messages of the path. */
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
	/** Says whether it is sent, and why. */
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

/** The plan as lines, newest first: what is sent though it is older than all that was read stands below what was not. */
export function linesOf(view: Pick<ContextView, 'plan' | 'rows'>, older: Message[]): ContextLine[] {
	const { plan, rows } = view;
	const olderKept = new Set(rows.olderKept.map(({ id }) => id));
	const isKept = ({ id }: Message) => olderKept.has(id);
	const decided = { pins: new Set(rows.pins), excludes: new Set(rows.excludes) };
	const read = plan.items.filter(({ message }) => !isKept(message));
	const kept = plan.items.filter(({ message }) => isKept(message));
	const more = older.filter((message) => message.role !== 'system' && !isKept(message));
	const oldestRead = older[0] ?? rows.path[0];
	const isRead = ({ message }: PlanItem) => oldestRead !== undefined && message.depth >= oldestRead.depth;

	const planned = (item: PlanItem) => ({ depth: item.message.depth, line: plannedLine(item, rows, decided) });
	const among = [
		...more.map((message) => ({ depth: message.depth, line: olderLine(message, rows, decided) })),
		...kept.filter(isRead).map(planned)
	];
	const left = plan.unread.count - more.length;
	const covered = plan.unread.covered - more.filter((message) => isCovered(message, rows)).length;
	return [
		...read.map(planned).reverse(),
		...among.sort((a, b) => b.depth - a.depth),
		...(left > 0 && oldestRead?.parentId !== null ? [{ line: unreadLine(left, Math.min(left, Math.max(0, covered)), rows) }] : []),
		...kept
			.filter((item) => !isRead(item))
			.map(planned)
			.reverse(),
		...partLines(view).map((line) => ({ line }))
	].map(({ line }) => line);
}

/** Ids of messages that the user pinned, and excluded. */
interface ChosenMessages {
	pins: ReadonlySet<string>;
	excludes: ReadonlySet<string>;
}

function plannedLine({ message, tokens, state }: PlanItem, { settings }: ContextRows, { pins, excludes }: ChosenMessages): MessageLine {
	return {
		kind: 'message',
		id: message.id,
		...headOf(message),
		state: state.in ? sentWords(state.reason, state.cut) : capitalised(outWords(state.reason, settings)),
		sent: state.in,
		tokens,
		pinned: pins.has(message.id),
		excluded: excludes.has(message.id),
		unsent: message.id === unsentId
	};
}

function olderLine(message: Message, rows: ContextRows, { excludes }: ChosenMessages): MessageLine {
	const excluded = excludes.has(message.id);
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
		...part('environment', 'Chat info', environment, totals.environment, 'Sent after the summary: date, notes, to-do list'),
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

function nameOf(message: Message): string {
	return message.id === unsentId ? 'Not sent yet' : speakerOf(message);
}

function wordsOf(message: Message): string {
	const text = textOf(message);
	if (text.trim() !== '') return text;
	const files = message.role === 'tool' ? [] : filesOf(message).map(({ name }) => name);
	return files.length > 0 ? files.join(', ') : message.parts.map(partWords).find((words) => words !== '') || 'Nothing';
}

function partWords(part: Part): string {
	switch (part.type) {
		case 'tool-call':
			return `Calls ${plainName(readableToolName(part.toolName))}`;
		case 'tool-result':
		case 'reasoning':
		case 'text':
		case 'file':
			return partText(part);
		case 'redacted':
			return 'Text erased';
		case 'unreadable':
			return 'Can’t be read';
		default:
			return part satisfies never;
	}
}

const cutWords: Record<Cut, string> = { image: 'without its images', result: 'its tool result shortened', text: 'its text shortened' };

function sentWords(reason: InReason, cut: Cut | undefined): string {
	const why = { pinned: ' (pinned)', question: ' (the question)', recent: ' (recent)', fits: '' }[reason];
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
			return 'left out, so that the model need not read the start anew';
		case 'orphan':
			return 'left out: its tool call or result is missing';
		case 'dropped':
			return 'left out: makes room for the rest';
	}
}
