import type { CallToolResult } from '@modelcontextprotocol/client';
import { formatBytes } from '../../shared/bytes';
import { exceeds, type Extent } from '../../shared/extent';
import { SecretRedactor } from '../../shared/redact-secret';
import { characterStart } from '../../shared/shorten';
import { errorResult, type ToolResult } from '../../tools/tool';

type Block = CallToolResult['content'][number];

/** The most of a result that a model gets, in UTF-16 units. */
const longest = 100_000;

/** Returns what a call gave as text, which is data for the model and nothing else: no address in it is asked, and nothing of it is drawn but its letters. */
export function toResult({ content, structuredContent, isError }: CallToolResult, token: string | undefined): ToolResult {
	const texts = content.slice(0, maxBlocks).map(textOf);
	if (content.length > maxBlocks) texts.push(`[… ${content.length - maxBlocks} more parts]`);
	// A server that gives a value is asked to give it as text too.
	if (structuredContent !== undefined && texts.length === 0) texts.push(exceeds(structuredContent, maxExtent) ? '[A value that is too large to be passed on]' : JSON.stringify(structuredContent));
	const text = cut(new SecretRedactor(token).redact(texts.join('\n\n').slice(0, 4 * longest)));
	if (isError) return errorResult(text || 'The tool says that it failed, and not why.');
	return { output: text || 'The tool gave nothing back.', isError: false };
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

function cut(text: string): string {
	if (text.length <= longest) return text;
	const end = characterStart(text, longest);
	return `${text.slice(0, end)} [… cut off here: the result is longer than ${longest.toLocaleString('en')} characters]`;
}
