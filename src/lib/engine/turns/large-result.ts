import { attachmentLimits } from '../../conversation/attachment-limits';
import type { FilePart } from '../../conversation/message';
import { valueText } from '../../conversation/part-text';
import { plainFileName } from '../../shared/file-name';
import { createPause } from '../../shared/pause';
import { sha256Of } from '../../shared/sha256';
import { characterEnd, characterStart } from '../../shared/shorten';
import { readableToolName } from '../../shared/server-tool-name';
import type { Attachment } from '../../storage/tables/attachments';
import { keptName } from '../../tools/kept-name';
import type { ToolResult } from '../../tools/tool';
import { callOutput } from './kept-value';

/** The longest result that is told whole, in UTF-16 units: it is sent again at every step. Of a longer one these are told, from its start and its end. */
export const maxTold = 100_000;
const [startLength, endLength] = [30_000, 10_000];

/** The length of what is encoded at a time, in UTF-16 units. */
const pieceLength = 500_000;

/** A result as a model is told it, and the files of its message: the whole text where that is longer, and images. */
export interface TellableResult {
	output: unknown;
	files: { part: FilePart; attachment: Attachment }[];
}

/** Returns what is told of a result, with what is to be kept beside it. The page goes on meanwhile. */
export async function toTellable({ output, images = [] }: Pick<ToolResult, 'output' | 'images'>, toolName: string, createdAt: number): Promise<TellableResult> {
	const fileOf = async (bytes: Uint8Array<ArrayBuffer>, mediaType: string, name: string): Promise<TellableResult['files'][number]> => {
		const id = await sha256Of(bytes);
		return {
			part: { type: 'file', attachmentId: id, mediaType, name: plainFileName(name) },
			attachment: { id, mediaType, bytes: bytes.length, content: new Blob([bytes], { type: mediaType }), createdAt }
		};
	};
	const files: TellableResult['files'] = [];
	for (const [index, image] of images.entries()) files.push(await fileOf(new Uint8Array(await image.arrayBuffer()), image.type, `${readableToolName(toolName)} ${index + 1}.${image.type.slice('image/'.length)}`));
	const value = callOutput(output);
	const text = valueText(value);
	if (text.length <= maxTold) return { output: value, files };
	const { bytes, read } = await encode(text);
	const whole = await fileOf(bytes, 'text/plain', `${readableToolName(toolName)}.txt`);
	return { output: excerptOf(text, { name: keptName(whole.part.attachmentId), read }), files: [whole, ...files] };
}

/** Returns the start and the end of a text, and between them what has to be known to read the rest; `read` is how much of it is kept. */
function excerptOf(text: string, { name, read }: { name: string; read: number }): string {
	const start = characterStart(text, startLength);
	const end = characterEnd(text, text.length - endLength);
	const count = (length: number) => length.toLocaleString('en');
	const kept = read < text.length ? `Its first ${count(read)} are kept` : 'It is kept whole';
	const note = `[… ${count(end - start)} characters are left out here: the result has ${count(text.length)} characters. ${kept} under the name “${name}”. The tool read_result takes that name to read on from ${start}, or to find words in it; where you have no such tool, the rest is not here.]`;
	// Some servers refuse a message with a NUL or half a character in it, and it would be sent again at every step.
	const told = (part: string) => part.toWellFormed().replaceAll('\0', '\ufffd');
	return `${told(text.slice(0, start))}\n\n${note}\n\n${told(text.slice(end))}`;
}

/** Encodes a text as far as it may be kept. A file of text has no NUL, so that is replaced as other units that mean nothing are. */
async function encode(text: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; read: number }> {
	const bytes = new Uint8Array(Math.min(3 * text.length, attachmentLimits.resultBytes));
	const encoder = new TextEncoder();
	const pause = createPause();
	let [read, written] = [0, 0];
	while (read < text.length) {
		const piece = text.slice(read, characterStart(text, Math.min(read + pieceLength, text.length))).replaceAll('\0', '\ufffd');
		const next = encoder.encodeInto(piece, bytes.subarray(written));
		read += next.read;
		written += next.written;
		if (next.read < piece.length) break;
		await pause();
	}
	return { bytes: bytes.slice(0, written), read };
}
