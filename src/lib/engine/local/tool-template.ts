import type { ChatCompletionMessage, ChatCompletionTool } from '@wllama/wllama/esm/index.js';
import { bare, functionGemma, gemma, listed, tagged, type IsText, type ToolFormat } from './tool-formats';

/** A tool that a model is offered. */
export interface OfferedTool {
	name: string;
	description?: string | undefined;
	/** A JSON Schema. */
	inputSchema: unknown;
}

/** A call in the history of a chat. */
export interface EarlierCall {
	id: string;
	name: string;
	input: unknown;
}

/** A message for a chat template. */
export interface ChatMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string;
	/** Set where it calls. Some templates take no more than one. */
	call?: EarlierCall;
	/** The id of the call that it is the result of. */
	callId?: string;
}

/** The way in which a chat template puts tools before a model. */
export interface ToolTemplate {
	format: ToolFormat;
	/** True where it takes them under the name that SmolLM3 has for them. */
	isXml: boolean;
	/** False where it has no place for calls but the text of a message. */
	hasCalls: boolean;
}

/** Letters by which a template shows how its model writes calls; the first that is there counts. */
const formats: readonly (readonly [string, ToolFormat])[] = [
	['<|tool_call>', gemma],
	['<start_function_call>', functionGemma],
	['<tool_call>', tagged],
	['[TOOL_CALLS]', listed],
	['<|python_tag|>', bare],
	['"parameters": ', bare]
];

/** Returns how a template takes tools; undefined where it does not, or where its model writes calls in a way that is not known. */
export function toolTemplateOf(template = ''): ToolTemplate | undefined {
	const takesTools = /\{%[^%]*\b(?:xml_)?tools\b/.test(template);
	const format = formats.find(([letters]) => template.includes(letters))?.[1];
	return takesTools && format ? { format, isXml: /\bxml_tools\b/.test(template), hasCalls: template.includes('tool_calls') } : undefined;
}

/** Returns what the engine is given of tools. It only fills in the template: by itself it fails an answer with a call that is not as it expects. */
export function toolOptions(tools: readonly OfferedTool[], { isXml }: ToolTemplate, escape: (text: string) => string) {
	const offered = tools.map(({ name, description = '', inputSchema }) => ({
		type: 'function' as const,
		function: escapedIn({ name, description, parameters: inputSchema }, escape) as ChatCompletionTool['function']
	}));
	return { tools: offered, tool_choice: 'none' as const, ...(isXml && { chat_template_kwargs: { xml_tools: offered.map((tool) => tool.function) } }) };
}

/** Returns a message as the engine takes it. Nothing in it is a control token, but for those with which a call is written. */
export function toEngineMessage({ role, content, call, callId }: ChatMessage, template: ToolTemplate | undefined, escape: (text: string) => string): ChatCompletionMessage {
	const text = escape(content);
	if (role === 'tool') return { role, content: text, tool_call_id: callId ?? '' };
	if (role !== 'assistant' || !call) return { role, content: text };
	const { name, input } = escapedIn(call, escape) as EarlierCall;
	if (!template?.hasCalls) {
		const { open = '', close = '' } = template?.format ?? {};
		const written = JSON.stringify({ name, arguments: input });
		return { role, content: [...(text ? [text] : []), `${open}\n${written}\n${close}`].join('\n') };
	}
	return { role, content: text, tool_calls: [{ id: call.id, type: 'function', function: { name, arguments: JSON.stringify(input) } }] };
}

/** Tells by the schemas of tools which parameters are text. */
export function textParameters(tools: readonly OfferedTool[]): IsText {
	return (toolName, parameter) => {
		const schema = tools.find(({ name }) => name === toolName)?.inputSchema as { properties?: Record<string, { type?: unknown } | undefined> } | undefined;
		const type = schema?.properties?.[parameter]?.type;
		return type === undefined || type === 'string';
	};
}

/** Copies plain data with all its texts escaped. */
function escapedIn(value: unknown, escape: (text: string) => string): unknown {
	if (typeof value === 'string') return escape(value);
	if (Array.isArray(value)) return value.map((item) => escapedIn(item, escape));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [escape(key), escapedIn(item, escape)]));
}
