import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/app-error';
import { formatBytes } from '../../shared/bytes';
import { exceeds, type Extent } from '../../shared/extent';
import { plainFileName } from '../../shared/file-name';
import { createPause } from '../../shared/pause';
import { SecretRedactor } from '../../shared/redact-secret';
import { withoutUnseen } from '../../shared/without-unseen';
import { errorResult, type ToolResult } from '../../tools/tool';

type Block = CallToolResult['content'][number];

/** The most that a prompt puts where a message is written, and the length of what a token is looked for in at a time, in UTF-16 units. */
const [longestPrompt, pieceLength] = [100_000, 50_000];

/** Returns what a call gave as text, which is data for the model and nothing else: no address in it is asked, and nothing of it is drawn but its letters. */
export async function toResult({ content, structuredContent, isError }: CallToolResult, token: string | undefined): Promise<ToolResult> {
	const texts = content.slice(0, maxBlocks).map(textOf);
	if (content.length > maxBlocks) texts.push(`[… ${content.length - maxBlocks} more parts]`);
	// A server that gives a value is asked to give it as text too.
	if (structuredContent !== undefined && texts.length === 0) texts.push(exceeds(structuredContent, maxExtent) ? '[A value that is too large to be passed on]' : JSON.stringify(structuredContent));
	const text = await redacted(texts.join('\n\n'), token);
	if (isError) return errorResult(text || 'The tool says that it failed, and not why.');
	return { output: text || 'The tool gave nothing back.', isError: false };
}

/** Returns the text of a prompt, to be put where a message is written. */
export function toWords({ messages }: GetPromptResult, token: string | undefined): string {
	const text = messages.slice(0, maxBlocks).map(({ content }) => textOf(content)).join('\n\n');
	return new SecretRedactor(token).redact(withoutUnseen(text.slice(0, longestPrompt)));
}

/** Returns the first part of a resource as a file. Throws an AppError where there is none. */
export function toFile({ contents: [part] }: ReadResourceResult, name: string, token: string | undefined): File {
	if (!part) throw new AppError('resource-empty', 'The tool server gave nothing for this. Nothing was attached.');
	const content = 'text' in part ? new SecretRedactor(token).redact(part.text) : bytesIn(part.blob);
	return new File([content], plainFileName(name), { type: part.mimeType ?? '' });
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> {
	try {
		return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
	} catch (cause) {
		throw new AppError('resource-unreadable', 'The tool server gave something that can’t be read. Nothing was attached.', { cause });
	}
}

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
