import type {
	LanguageModelV4,
	LanguageModelV4FilePart,
	LanguageModelV4Prompt,
	LanguageModelV4ReasoningPart,
	LanguageModelV4TextPart,
	LanguageModelV4ToolCallPart,
	LanguageModelV4ToolResultPart,
	SharedV4ProviderOptions
} from '@ai-sdk/provider';
import type { Plan } from '../../context/plan';
import { filesOf, type FilePart, type Message, type Part, type Signature } from '../../conversation/message';
import { textOfTypes } from '../../conversation/part-text';
import { plainFileName } from '../../shared/file-name';
import type { Attachment } from '../../storage/tables/attachments';

/**
 * Makes the prompt of a plan: the system prompt, with the summary and what is restated after it, then what is in of
 * the messages, oldest first. It depends on nothing but the plan, the files and the `model` that is asked, so a resumed session sends byte-equal
 * history [E12, Z2]. Reasoning is not sent back, but what the same model has signed in this turn, after the last message of the user: without
 * that some providers refuse what follows a call. Two messages of the user in a row (the first was never answered)
 * become one, and so does an answer with what goes on with it, since many chat templates refuse a role twice; for the same reason there is one system message, and a line
 * stands in for what was redacted or can't be read. `files` has the attachments by id.
 */
export async function toPrompt(
	{ system, summary, environment, items }: Pick<Plan, 'system' | 'summary' | 'environment' | 'items'>,
	files: ReadonlyMap<string, Attachment>,
	model?: Pick<LanguageModelV4, 'provider' | 'modelId'>
): Promise<LanguageModelV4Prompt> {
	const prompt: LanguageModelV4Prompt = [];
	const question = items.findLastIndex(({ message, parts }) => message.role === 'user' && parts.length > 0);
	const head = [system, summary?.text ?? '', environment].filter((text) => text !== '').join('\n\n');
	if (head !== '') prompt.push({ role: 'system', content: head });
	for (const [index, { message, parts }] of items.entries()) {
		const last = prompt.at(-1);
		if (message.role === 'assistant') {
			const content = assistantContent(parts, index > question ? signerOf(message, model) : undefined);
			if (content.length === 0) continue;
			const above = items[index - 1]?.message;
			if (last?.role === 'assistant' && above?.role === 'assistant' && above.id === message.parentId) last.content.push(...content);
			else prompt.push({ role: 'assistant', content });
		} else if (message.role === 'tool') {
			const content = parts.flatMap((part) => (part.type === 'tool-result' ? [resultPart(part)] : []));
			if (content.length > 0) prompt.push({ role: 'tool', content });
		} else {
			const content = [...(await Promise.all(filesOf({ parts }).map((file) => toFilePart(file, files)))), ...textParts(parts)];
			if (content.length === 0) continue;
			if (last?.role === 'user') last.content.push(...content);
			else prompt.push({ role: 'user', content });
		}
	}
	return prompt;
}

/** All of a message's words as one part: texts, and the markers of what is gone. */
function textParts(parts: Part[]): LanguageModelV4TextPart[] {
	const words = textOfTypes(parts, ['text', 'redacted', 'unreadable']);
	return words === '' ? [] : [{ type: 'text', text: words }];
}

/** Returns the name under which a model's provider signs, where an answer is that model's. */
function signerOf(answer: Message, model: Pick<LanguageModelV4, 'provider' | 'modelId'> | undefined): string | undefined {
	return model && answer.model === model.modelId ? model.provider.split('.')[0] : undefined;
}

type AssistantPart = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart;

/** Words that follow one another are one part; what the model called, and what `signer` signed, keeps its place among them [E12]. */
function assistantContent(parts: Part[], signer: string | undefined): AssistantPart[] {
	const content: AssistantPart[] = [];
	let words: Part[] = [];
	for (const part of parts) {
		const signed = 'signature' in part ? signedBy(signer, part.signature) : undefined;
		if (part.type !== 'tool-call' && !signed) {
			words.push(part);
			continue;
		}
		content.push(...textParts(words));
		words = [];
		if (part.type === 'tool-call') {
			const { type, toolCallId, toolName, input } = part;
			content.push({ type, toolCallId, toolName, input, ...signed });
		} else if (part.type === 'text' || part.type === 'reasoning') {
			content.push({ type: part.type, text: part.text, ...signed });
		}
	}
	return [...content, ...textParts(words)];
}

function signedBy(signer: string | undefined, signature: Signature = {}): { providerOptions: SharedV4ProviderOptions } | undefined {
	if (signer === undefined || !Object.hasOwn(signature, signer)) return undefined;
	return { providerOptions: { [signer]: signature[signer] } as SharedV4ProviderOptions };
}

function resultPart({ toolCallId, toolName, output, isError }: Extract<Part, { type: 'tool-result' }>): LanguageModelV4ToolResultPart {
	const isText = typeof output === 'string';
	const kind = isError ? (isText ? 'error-text' : 'error-json') : isText ? 'text' : 'json';
	return { type: 'tool-result', toolCallId, toolName, output: { type: kind, value: output } as LanguageModelV4ToolResultPart['output'] };
}

async function toFilePart(
	{ attachmentId, name: stored }: FilePart,
	files: ReadonlyMap<string, Attachment>
): Promise<LanguageModelV4TextPart | LanguageModelV4FilePart> {
	// A row that another program wrote may have any name: a line feed in it would end the place that is meant for it.
	const name = plainFileName(stored);
	const attachment = files.get(attachmentId);
	const bytes = attachment && (await sentBytesOf(attachment));
	if (!bytes) return { type: 'text', text: `[file ${name}, not here any more]` };
	const { mediaType } = attachment;
	if (mediaType.startsWith('image/')) return { type: 'file', filename: name, mediaType, data: { type: 'data', data: bytes } };
	return { type: 'text', text: inFence(name, new TextDecoder().decode(bytes)) };
}

/** Returns the content of a file, or of a document its text. Undefined where the browser has lost what the row points to. */
async function sentBytesOf({ content, extract }: Attachment): Promise<Uint8Array | undefined> {
	try {
		return new Uint8Array(await (extract?.text ?? content).arrayBuffer());
	} catch (error) {
		if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError')) return undefined;
		throw error;
	}
}

/** A file's text below its name, between fences that are longer than any in it. */
function inFence(name: string, text: string): string {
	let longest = 2;
	// A file may have more runs than a call takes arguments.
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	const fence = '`'.repeat(longest + 1);
	return `File ${name}:\n${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
