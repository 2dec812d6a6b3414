import type { LanguageModelV4FilePart, LanguageModelV4Prompt, LanguageModelV4TextPart } from '@ai-sdk/provider';
import type { FilePart, Message } from '../conversation/message';
import { filesOf } from '../conversation/message';
import type { Attachment } from '../storage/attachments';

/**
 * What the model is sent for a path: its system prompt, then files and texts in order. It depends on nothing but the rows
 * and the files, so a resumed session sends byte-equal history [E12, Z2]. Reasoning is not sent back. Two messages of the
 * person in a row (the first was never answered) become one, since many chat templates refuse a role twice; for the same
 * reason a line stands in for what was redacted or can't be read. `files` has the attachments by id.
 */
export async function toPrompt(path: Message[], files: ReadonlyMap<string, Attachment>): Promise<LanguageModelV4Prompt> {
	const prompt: LanguageModelV4Prompt = [];
	for (const message of path) {
		const words = wordsOf(message);
		const text: LanguageModelV4TextPart[] = words === '' ? [] : [{ type: 'text', text: words }];
		if (message.role === 'system') {
			if (words !== '') prompt.push({ role: 'system', content: words });
		} else if (message.role === 'assistant') {
			if (words !== '') prompt.push({ role: 'assistant', content: text });
		} else {
			const content = [...(await Promise.all(filesOf(message).map((file) => toFilePart(file, files)))), ...text];
			const last = prompt.at(-1);
			if (content.length === 0) continue;
			if (last?.role === 'user') last.content.push(...content);
			else prompt.push({ role: 'user', content });
		}
	}
	return prompt;
}

function wordsOf({ role, parts }: Message): string {
	const words = parts.flatMap((part) => {
		if (part.type === 'text') return [part.text];
		// A system prompt that is gone says nothing.
		return role !== 'system' && (part.type === 'redacted' || part.type === 'unreadable') ? [`[${part.type}]`] : [];
	});
	return words.join('\n\n');
}

async function toFilePart(
	{ attachmentId, name }: FilePart,
	files: ReadonlyMap<string, Attachment>
): Promise<LanguageModelV4TextPart | LanguageModelV4FilePart> {
	const attachment = files.get(attachmentId);
	const bytes = attachment && (await contentOf(attachment));
	if (!bytes) return { type: 'text', text: `[file ${name}, not here any more]` };
	const { mediaType } = attachment;
	if (mediaType.startsWith('image/')) return { type: 'file', filename: name, mediaType, data: { type: 'data', data: bytes } };
	return { type: 'text', text: inFence(name, new TextDecoder().decode(bytes)) };
}

/** Undefined where the browser has lost what the row points to. */
async function contentOf({ content }: Attachment): Promise<Uint8Array | undefined> {
	try {
		return new Uint8Array(await content.arrayBuffer());
	} catch (error) {
		if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError')) return undefined;
		throw error;
	}
}

/** A file's text below its name, between fences that are longer than any in it. */
function inFence(name: string, text: string): string {
	const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	return `File ${name}:\n${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
