import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { attachmentLimits, filesPerMessage } from '../../conversation/attachment-limits';
import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import { exceeds, type Extent } from '../../shared/extent';
import { plainFileName } from '../../shared/file-name';
import { imageSize, isTooLargeToDraw } from '../../shared/image-size';
import { headBytes, imageType } from '../../shared/media-type';
import { createPause } from '../../shared/pause';
import { SecretRedactor } from '../../shared/redact-secret';
import { withoutUnseen } from '../../shared/without-unseen';
import { errorResult, type ToolResult } from '../../tools/tool';

type Block = CallToolResult['content'][number];

/** The most that a prompt puts where a message is written, and the length of what a token is looked for in at a time, in UTF-16 units. */
const [longestPrompt, pieceLength] = [100_000, 50_000];

/** Returns what a call gave as text, which is data for the model and nothing else: no address in it is asked, and nothing of it is drawn but its letters. */
export async function toResult({ content, structuredContent, isError }: CallToolResult, token: string | undefined): Promise<ToolResult> {
	const images: Blob[] = [];
	const texts: string[] = [];
	for (const block of content.slice(0, maxBlocks)) {
		const image = block.type === 'image' && images.length < filesPerMessage ? await imageOf(block.data) : undefined;
		if (image) images.push(image);
		texts.push(image ? `[An image, ${image.type}, ${formatBytes(image.size)}, which Snug shows to the user and does not pass on]` : textOf(block));
	}
	if (content.length > maxBlocks) texts.push(`[… ${content.length - maxBlocks} more parts]`);
	// A server that gives a value is asked to give it as text too.
	if (structuredContent !== undefined && texts.length === 0) texts.push(exceeds(structuredContent, maxExtent) ? '[A value that is too large to be passed on]' : JSON.stringify(structuredContent));
	const text = await redacted(texts.join('\n\n'), token);
	const result = isError ? errorResult(text || 'The tool says that it failed, and not why.') : { output: text || 'The tool gave nothing back.', isError: false as const };
	return images.length > 0 ? { ...result, images } : result;
}

/** Returns an image, of the type that its content says; undefined where it is none that browsers draw, or too large. */
async function imageOf(base64: string): Promise<Blob | undefined> {
	if (bytesOf(base64) > attachmentLimits.imageBytes) return undefined;
	const bytes = await decode(base64).catch(() => undefined);
	if (!bytes) return undefined;
	const type = imageType(bytes.subarray(0, headBytes));
	const size = imageSize(bytes);
	return type === undefined || (size && isTooLargeToDraw(size)) ? undefined : new Blob([bytes], { type });
}

/** Returns the text of a prompt, to be put where a message is written. */
export function toWords({ messages }: GetPromptResult, token: string | undefined): string {
	const text = messages.slice(0, maxBlocks).map(({ content }) => textOf(content)).join('\n\n');
	return new SecretRedactor(token).redact(withoutUnseen(text.slice(0, longestPrompt)));
}

/** Returns the first part of a resource as a file. Throws an AppError where there is none. */
export async function toFile({ contents: [part] }: ReadResourceResult, name: string, token: string | undefined): Promise<File> {
	if (!part) throw new AppError('resource-empty', 'The tool server gave nothing for this. Nothing was attached.');
	const content = 'text' in part ? await redacted(part.text, token) : await withoutToken(await bytesIn(part.blob), token);
	return new File([content], plainFileName(name), { type: part.mimeType ?? '' });
}

/** Returns bytes that are text without the token, others as they are. */
async function withoutToken(bytes: Uint8Array<ArrayBuffer>, token: string | undefined): Promise<Uint8Array<ArrayBuffer> | string> {
	const text = token === undefined ? undefined : textIn(bytes);
	return text === undefined ? bytes : redacted(text, token);
}

/** Reads bytes as text; undefined where they are none. */
function textIn(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

async function bytesIn(base64: string): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await decode(base64);
	} catch (cause) {
		throw new AppError('resource-unreadable', 'The tool server gave something that can’t be read. Nothing was attached.', { cause });
	}
}

/** Decodes base64, which may have white space in it. The page goes on meanwhile. Throws where it is none. */
async function decode(base64: string): Promise<Uint8Array<ArrayBuffer>> {
	const text = base64.replace(/\s+/g, '');
	const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
	const pause = createPause();
	let length = 0;
	for (let at = 0; at < text.length; at += base64Piece) {
		const binary = atob(text.slice(at, at + base64Piece));
		for (let index = 0; index < binary.length; index++) bytes[length++] = binary.charCodeAt(index);
		await pause();
	}
	return bytes.slice(0, length);
}

/** Characters of base64 that are decoded at a time: a multiple of four. */
const base64Piece = 2 ** 18;

const maxBlocks = 200;
const maxExtent: Extent = { levels: 64, values: 100_000 };

function textOf(block: Block): string {
	switch (block.type) {
		case 'text':
			return block.text;
		case 'image':
		case 'audio':
			return `[${block.type === 'image' ? 'An image' : 'A recording'}, ${block.mimeType}, ${formatBytes(bytesOf(block.data))}, which Snug does not pass on]`;
		case 'resource_link':
			return `[A link to “${block.title ?? block.name}”: ${block.uri}]${block.description ? ` ${block.description}` : ''}`;
		case 'resource': {
			const { resource } = block;
			if ('text' in resource) return `[From ${resource.uri}]\n${resource.text}`;
			return `[A file, ${resource.uri}, ${formatBytes(bytesOf(resource.blob))}, which Snug does not pass on]`;
		}
	}
}

/** The number of bytes that a text in base64 stands for. */
function bytesOf({ length }: string): number {
	return Math.floor((length * 3) / 4);
}

/** Returns a text without the token. The page goes on meanwhile. */
async function redacted(text: string, token: string | undefined): Promise<string> {
	if (token === undefined) return text;
	const redactor = new SecretRedactor(token);
	const pause = createPause();
	let told = '';
	for (let at = 0; at < text.length; at += pieceLength) {
		told += redactor.next(text.slice(at, at + pieceLength));
		await pause();
	}
	return told + redactor.end();
}
