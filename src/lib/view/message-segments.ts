import type { Part } from '../conversation/message';
import type { ToolCall } from '../conversation/open-calls';
import { partText } from '../conversation/part-text';
import { plainName } from '../shared/file-name';
import { withoutPiledMarks } from '../shared/piled-marks';
import { readableJson } from '../shared/readable-json';
import { shorten } from '../shared/shorten';
import { textLimit } from '../shared/start-of';

export type ToolResult = Extract<Part, { type: 'tool-result' }>;

/** A call with its result, where a message has both; else either of them. */
export type Exchange = { type: 'exchange'; call: ToolCall; result?: ToolResult } | { type: 'exchange'; call?: undefined; result: ToolResult };

/** A stretch of a message as it is drawn: what is thought and said up to the next call or result, or one of those. */
export type Segment = { type: 'words'; reasoning: string; text: string } | Exchange;

/** The length of a call's line, in UTF-16 units. */
const briefLength = 80;

/** The most segments of a message that are drawn until more is asked for. */
export const maxSegments = 100;

/**
 * Returns how many segments of a message are drawn when more was asked for so often: each time at most as many as are drawn at once in good
 * time. One that grows stays drawn.
 */
export function countDrawn(segments: readonly Segment[], asked: number): number {
	let count = 0;
	for (let time = 0; time <= asked; time++) {
		const end = Math.min(count + maxSegments, segments.length);
		for (let length = 0; count < end && length < textLimit; count++) length += lengthOf(segments[count]!);
	}
	return count;
}

/** The length of what is drawn of a segment at first. Of a call or a result that is its first lines. */
function lengthOf(segment: Segment): number {
	return segment.type === 'words' ? segment.text.length + segment.reasoning.length : 0;
}

/**
 * Returns what a message says in order. Between two calls reasoning and texts are each joined: some models change between them at every word. A result
 * stands with its call, where that is in the message.
 */
export function segmentsOf(parts: readonly Part[]): Segment[] {
	const segments: Segment[] = [];
	const open = new Map<string, Exchange[]>();
	for (const part of parts) {
		if (part.type === 'tool-call') {
			const exchange: Exchange = { type: 'exchange', call: part };
			segments.push(exchange);
			const same = open.get(part.toolCallId);
			if (same) same.push(exchange);
			else open.set(part.toolCallId, [exchange]);
		} else if (part.type === 'tool-result') {
			const exchange = open.get(part.toolCallId)?.shift();
			if (exchange) exchange.result = part;
			else segments.push({ type: 'exchange', result: part });
		}
		if ((part.type !== 'text' && part.type !== 'reasoning') || part.text === '') continue;
		const last = segments.at(-1);
		const words = last?.type === 'words' ? last : { type: 'words' as const, reasoning: '', text: '' };
		if (words !== last) segments.push(words);
		const kind = part.type;
		words[kind] += (words[kind] === '' ? '' : '\n\n') + partText(part);
	}
	return segments;
}

/** Returns the first words of what a tool took, or said, as a line; '' where it has none. */
export function briefOf(value: unknown): string {
	const first = typeof value === 'object' && value !== null ? Object.values(value).find((one) => typeof one === 'string' || typeof one === 'number') : value;
	const text = typeof first === 'number' ? String(first) : typeof first === 'string' ? first.slice(0, 4 * briefLength) : '';
	return shorten(withoutPiledMarks(plainName(text)), briefLength);
}

/** Returns a text of `trafficText` for a search, as long as it: in JSON a line break is written as letters, which would be the beginning of a word. */
export function searchedTraffic(value: unknown, text: string): string {
	return typeof value === 'string' ? text : text.replace(/\\./g, (escape) => (/[nrtbf]/.test(escape) ? '  ' : escape));
}

/** Returns what a tool took or gave as text that shows all of it: a text as it is, anything else as JSON, on lines where that is not far longer. */
export function trafficText(value: unknown): string {
	return typeof value === 'string' ? value : (readableJson(value) ?? '');
}
