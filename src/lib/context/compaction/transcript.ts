import type { Message, Part } from '../../conversation/message';
import { valueText } from '../../conversation/part-text';
import { characterStart, shorten } from '../../shared/shorten';
import { closeFence } from './fences';
import { speakerOf, wordsOf } from './said';
import { withoutTag } from './tag';

/** The longest input or result of a tool that the model reads, in UTF-16 units. */
const maxTrafficLength = 2000;

/** Between two messages in a piece. */
const separator = '\n\n';

/** A message as the model reads it that is to write the summary: `User: …`. '' where it says nothing. */
export function transcriptOf(message: Pick<Message, 'role' | 'parts'>): string {
	const content = contentOf(message, maxTrafficLength);
	return content === '' ? '' : withoutTag(`${speakerOf(message)}: ${content}`);
}

/**
 * All that a message says, part by part: texts with their fences closed, tool calls with their input, results as text or
 * JSON, files by name, but no reasoning. Input and results are cut at `maxTraffic` UTF-16 units.
 */
export function contentOf({ parts }: Pick<Message, 'parts'>, maxTraffic: number): string {
	const pieces = parts.map((part) => pieceOf(part, maxTraffic).trim());
	return pieces.filter((piece) => piece !== '').join(separator);
}

function pieceOf(part: Part, maxTraffic: number): string {
	if (part.type === 'tool-call') return `[calls ${part.toolName} ${shorten(valueText(part.input), maxTraffic)}]`;
	if (part.type === 'file') return `[file ${part.name}]`;
	const words = wordsOf(part) ?? '';
	return closeFence(part.type === 'tool-result' ? shorten(words, maxTraffic) : words);
}

/**
 * Packs lines into as few pieces of at most `maxCharacters` UTF-16 units as hold them in their order, with an empty line
 * between two. Only a line that is longer by itself is split, at a line end or a space if there is one near.
 */
export function piecesOf(lines: string[], maxCharacters: number): string[] {
	const pieces: string[] = [];
	for (const part of lines.flatMap((line) => splitLine(line, Math.max(2, maxCharacters)))) {
		const last = pieces.at(-1);
		if (last !== undefined && last.length + separator.length + part.length <= maxCharacters) {
			pieces[pieces.length - 1] = last + separator + part;
		} else {
			pieces.push(part);
		}
	}
	return pieces;
}

/** The line, in parts of at most `max` units that make it again when they are joined; none for ''. */
function splitLine(line: string, max: number): string[] {
	const parts: string[] = [];
	let from = 0;
	while (line.length - from > max) {
		const half = from + Math.ceil(max / 2);
		const near = line.slice(half, from + max);
		const ends = [near.lastIndexOf('\n') + 1, near.lastIndexOf(' ') + 1];
		const end = ends.find((place) => place > 0);
		const at = end === undefined ? Math.max(from + 1, characterStart(line, from + max)) : half + end;
		parts.push(line.slice(from, at));
		from = at;
	}
	return from < line.length ? [...parts, line.slice(from)] : parts;
}
