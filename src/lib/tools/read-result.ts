import * as v from 'valibot';
import { AppError } from '../shared/app-error';
import { characterEnd, characterStart } from '../shared/shorten';
import type { ToolPorts } from './ports';
import { errorResult, makeTool, type Tool, type ToolResult } from './tool';

/** The most that is read at once, in UTF-16 units, and what is where nothing is said. */
const [maxLength, usualLength] = [40_000, 20_000];

/** The most places that are found at once, and how much of the text is told around each. */
const [maxFound, around] = [20, 100];

const maxWords = 200;

/** The bytes that are decoded at a time. */
const pieceBytes = 2 ** 18;

const [place, length] = [v.pipe(v.number(), v.safeInteger(), v.minValue(0)), v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(maxLength))];

/** The output for the model: a stretch of the result, or places in it. */
export interface ReadResultOutput {
	characters_in_result: number;
	from?: number;
	text?: string;
	/** Each with what stands around it. */
	found?: { at: number; text: string }[];
	/** The place from which the next call goes on, where this is not the end. */
	next_from?: number;
}

/** The tool `read_result`: stretches of a result of this chat that was too long to be told whole, and words in it. */
export function createTool({ readResult }: Pick<ToolPorts, 'readResult'>): Tool {
	return makeTool({
		name: 'read_result',
		description: 'Reads a part of a result that was too long to be given whole, or finds words in it. Such a result says under which name it is kept.',
		input: v.object({ name: v.pipe(v.string(), v.nonEmpty()), from: v.exactOptional(place), length: v.exactOptional(length), find: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(maxWords))) }),
		inputSchema: {
			type: 'object',
			properties: {
				name: { type: 'string', minLength: 1, description: 'The name, as the result says it.' },
				from: { type: 'integer', minimum: 0, default: 0, description: 'The character to begin at; the first is 0.' },
				length: { type: 'integer', minimum: 1, maximum: maxLength, default: usualLength, description: 'How many characters.' },
				find: { type: 'string', minLength: 1, maxLength: maxWords, description: 'Words to find from there on, in any case. Left out, the text is read.' }
			},
			required: ['name'],
			additionalProperties: false
		},
		effect: 'read',
		async run({ name, from = 0, length = usualLength, find }, context): Promise<ToolResult> {
			const content = await readResult(name, context);
			if (!content) return errorResult(`No result of this chat is kept under the name “${name.slice(0, 100)}”. Take the name from the result itself.`);
			const pieces = piecesOf(content, context.signal);
			const output = await (find === undefined ? read(pieces, from, length) : search(pieces, from, find));
			if (from > 0 && from >= output.characters_in_result) return errorResult(`The result has ${output.characters_in_result} characters. Begin at one of them.`);
			return { output, isError: false };
		}
	});
}

interface Piece {
	text: string;
	isLast: boolean;
}

/** Decodes a text piece by piece: what else waits has its turn between two of them. */
async function* piecesOf(content: Blob, signal: AbortSignal): AsyncGenerator<Piece> {
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	for (let at = 0; at < content.size; at += pieceBytes) {
		signal.throwIfAborted();
		const isLast = at + pieceBytes >= content.size;
		const bytes = await content.slice(at, at + pieceBytes).arrayBuffer().catch((cause: unknown) => {
			throw new AppError('result-lost', 'The browser has lost what was kept of this result. Do without it.', { cause });
		});
		yield { text: decoder.decode(bytes, { stream: !isLast }), isLast };
	}
}

async function read(pieces: AsyncIterable<Piece>, from: number, length: number): Promise<ReadResultOutput> {
	let [text, position] = ['', 0];
	for await (const piece of pieces) {
		if (position < from + length) text += piece.text.slice(Math.max(0, from - position), from + length - position);
		position += piece.text.length;
	}
	const next = from + text.length;
	return { characters_in_result: position, from, text: withoutHalves(text), ...(next < position && { next_from: next }) };
}

/** Returns a text without the half of a pair at an end: some servers refuse a message that has one. */
function withoutHalves(text: string): string {
	return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '\ufffd');
}

async function search(pieces: AsyncIterable<Piece>, from: number, words: string): Promise<ReadResultOutput> {
	const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
	const found: { at: number; text: string }[] = [];
	/** Text that was read and is still looked at, the place where it begins, and the place from which on matches count. */
	let [held, start, next] = ['', 0, from];
	let more: number | undefined;
	for await (const { text, isLast } of pieces) {
		held += text;
		// A match that is near the end waits for what follows it.
		const end = isLast ? held.length : Math.max(0, held.length - words.length - around);
		pattern.lastIndex = Math.max(0, next - start);
		while (more === undefined) {
			const at = pattern.exec(held)?.index ?? end;
			if (at >= end) break;
			if (found.length === maxFound) more = start + at;
			else found.push({ at: start + at, text: held.slice(characterStart(held, Math.max(0, at - around)), characterEnd(held, at + words.length + around)) });
			next = start + at + words.length;
		}
		const done = isLast ? end : Math.max(0, end - around);
		next = Math.max(next, start + end);
		held = held.slice(done);
		start += done;
	}
	return { characters_in_result: start, found, ...(more !== undefined && { next_from: more }) };
}
