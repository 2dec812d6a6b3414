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
import { filesOf, type FilePart, type Part, type Signature } from '../../conversation/message';
import { textOfTypes, valueText } from '../../conversation/part-text';
import { plainFileName } from '../../shared/file-name';
import type { Attachment } from '../../storage/tables/attachments';

/** The model that a prompt is for. */
export interface Recipient {
	model?: Pick<LanguageModelV4, 'provider' | 'modelId'>;
	/** False where no tool is offered with the prompt. */
	hasTools?: boolean;
}

/**
 * Makes the prompt of a plan: the system prompt, with the summary and what is restated after it, then what is in of
 * the messages, oldest first. It depends on nothing but the plan, the files and the recipient, so a resumed session sends byte-equal
 * history [E12, Z2]. Reasoning is not sent back, but what the same model has signed in this turn, after the last message of the user: without
 * that some providers refuse what follows a call. Two messages of the user in a row (the first was never answered)
 * become one, and so does an answer with what goes on with it, since many chat templates refuse a role twice; for the same reason there is one system message, and a line
 * stands in for what was redacted or can't be read. `files` has the attachments by id.
 *
 * The calls of an answer are followed by one message with a result for each, in their order; a result without a call is left out. Where no
 * tools are offered both are told as text: some providers refuse calls then, and some templates have no place for them.
 */
export async function toPrompt(
	{ system, summary, environment, items }: Pick<Plan, 'system' | 'summary' | 'environment' | 'items'>,
	files: ReadonlyMap<string, Attachment>,
	{ model, hasTools = true }: Recipient = {}
): Promise<LanguageModelV4Prompt> {
	const prompt: LanguageModelV4Prompt = [];
	const ids = new Map<string, number>();
	const question = items.findLastIndex(({ message, parts }) => message.role === 'user' && parts.length > 0);
	const head = [system, summary?.text ?? '', environment].filter((text) => text !== '').join('\n\n');
	if (head !== '') prompt.push({ role: 'system', content: head });
	for (const [index, { message, parts }] of items.entries()) {
		const last = prompt.at(-1);
		if (message.role === 'assistant') {
			const giver = model && message.model === model.modelId ? model : undefined;
			const signer = index > question ? giver?.provider.split('.')[0] : undefined;
			const sent = parts.map((part) => (part.type === 'tool-call' ? accepted(part, uniqueId((giver && part.toolCallId) || plainId(part.toolCallId), ids)) : part));
			const content = assistantContent(hasTools ? sent : sent.map(toldCall), signer);
			if (content.length === 0) continue;
			const above = items[index - 1]?.message;
			if (last?.role === 'assistant' && above?.role === 'assistant' && above.id === message.parentId) last.content.push(...content);
			else prompt.push({ role: 'assistant', content });
			const results = resultsOf(items, index);
			const called = sent.filter((part) => part.type === 'tool-call').map((call, at) => ({ ...call, ...results[at]! }));
			if (called.length === 0) continue;
			if (hasTools) prompt.push({ role: 'tool', content: called.map(toResultPart) });
			else prompt.push({ role: 'user', content: called.map(toldResult) });
		} else if (message.role !== 'tool') {
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

type Call = Extract<Part, { type: 'tool-call' }>;
type Result = Pick<Extract<Part, { type: 'tool-result' }>, 'output' | 'isError'>;

/** The result of a call that has none: its turn was stopped, or the page went. */
const noResult: Result = { output: 'There is no result: the turn ended before this call did. It may have run or not.', isError: true };

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

/** Returns a call that all providers take: with an input that is an object. */
function accepted(call: Call, toolCallId: string): Call {
	const { toolName, input } = call;
	const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
	return { ...call, toolCallId, toolName: plainId(toolName), input: isObject ? input : { input } };
}

const maxId = 64;

/** Returns an id, or a name, that all providers take. */
function plainId(text: string): string {
	return text.replace(/[^\w-]/gu, '_').slice(0, maxId) || '_';
}

/** Returns an id that no call before has: some models count from zero on in every step. `ids` has those, and what numbers were put to, each with the last one. */
function uniqueId(id: string, ids: Map<string, number>): string {
	const stem = id.slice(0, maxId - 8);
	let number = ids.get(stem) ?? 1;
	let unique = id;
	while (ids.has(unique)) unique = `${stem}_${++number}`;
	if (unique !== id) ids.set(stem, number);
	ids.set(unique, ids.get(unique) ?? 1);
	return unique;
}

/** Returns the result of each call of an answer, from the messages of tools that follow it. Of several with one id each is that of a call in turn. */
function resultsOf(items: Plan['items'], index: number): Result[] {
	const given: Extract<Part, { type: 'tool-result' }>[] = [];
	for (let at = index + 1; items[at]?.message.role === 'tool'; at++) given.push(...items[at]!.parts.filter((part) => part.type === 'tool-result'));
	return items[index]!.parts.filter((part) => part.type === 'tool-call').map(({ toolCallId }) => {
		const at = given.findIndex((result) => result.toolCallId === toolCallId);
		if (at < 0) return noResult;
		const { output, isError } = given.splice(at, 1)[0]!;
		return { output, isError };
	});
}

function toResultPart({ toolCallId, toolName, output, isError }: Call & Result): LanguageModelV4ToolResultPart {
	const isText = typeof output === 'string';
	const kind = isError ? (isText ? 'error-text' : 'error-json') : isText ? 'text' : 'json';
	return { type: 'tool-result', toolCallId, toolName, output: { type: kind, value: output } as LanguageModelV4ToolResultPart['output'] };
}

/** Returns the words that tell of a call; any other part as it is. */
function toldCall(part: Part): Part {
	return part.type === 'tool-call' ? { type: 'text', text: `[called ${part.toolName} with ${valueText(part.input)}]` } : part;
}

function toldResult({ toolName, output, isError }: Call & Result): LanguageModelV4TextPart {
	return { type: 'text', text: inFence(`${isError ? 'Error' : 'Result'} of ${toolName}`, valueText(output)) };
}

async function toFilePart(
	{ attachmentId, name: stored, mediaType: told }: FilePart,
	files: ReadonlyMap<string, Attachment>
): Promise<LanguageModelV4TextPart | LanguageModelV4FilePart> {
	// A row that another program wrote may have any name: a line feed in it would end the place that is meant for it.
	const name = plainFileName(stored);
	const attachment = files.get(attachmentId);
	const bytes = attachment && (await sentBytesOf(attachment));
	if (!bytes) return { type: 'text', text: `[file ${name}, not here any more]` };
	const { mediaType } = attachment;
	// It is shown, and counted, as what its part says: nothing is sent that nobody can see. Files of backups may say anything.
	if (isImage(mediaType) !== isImage(told)) return { type: 'text', text: `[file ${name}, of another kind than its message says]` };
	if (isImage(mediaType)) return { type: 'file', filename: name, mediaType, data: { type: 'data', data: bytes } };
	return { type: 'text', text: inFence(`File ${name}`, new TextDecoder().decode(bytes)) };
}

const isImage = (mediaType: string) => mediaType.startsWith('image/');

/** Returns the content of a file, or of a document its text. Undefined where the browser has lost what the row points to. */
async function sentBytesOf({ content, extract }: Attachment): Promise<Uint8Array | undefined> {
	try {
		return new Uint8Array(await (extract?.text ?? content).arrayBuffer());
	} catch (error) {
		if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError')) return undefined;
		throw error;
	}
}

/** A text below its title, between fences that are longer than any in it. */
function inFence(title: string, text: string): string {
	let longest = 2;
	// A file may have more runs than a call takes arguments.
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	const fence = '`'.repeat(longest + 1);
	return `${title}:\n${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
