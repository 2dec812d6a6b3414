import type {
	LanguageModelV4FilePart,
	LanguageModelV4Prompt,
	LanguageModelV4ToolCallPart,
	LanguageModelV4ToolResultOutput,
	LanguageModelV4ToolResultPart,
	SharedV4Warning
} from '@ai-sdk/provider';
import type { ChatMessage } from '../local/tool-template';

/**
 * Returns the messages that the engine is given for a prompt. Neighbours of one role become one message: a user's message after
 * a failed answer, which many templates refuse. Where no tools are offered, calls and their results are left out; else each call is a
 * message of its own with the result after it, since some templates take no more, and is numbered, since some take no other ids.
 */
export function toMessages(prompt: LanguageModelV4Prompt, hasTools = false): { messages: ChatMessage[]; warnings: SharedV4Warning[] } {
	const messages: ChatMessage[] = [];
	const unsupported = new Set<string>();
	const calls = new Map<string, LanguageModelV4ToolCallPart>();
	let answered = 0;
	const addResult = ({ toolCallId, output }: LanguageModelV4ToolResultPart) => {
		const found = calls.get(toolCallId);
		if (!found) return;
		const call = { id: String(++answered).padStart(9, '0'), name: found.toolName, input: found.input };
		const last = messages.at(-1);
		if (last?.role === 'assistant') last.call = call;
		else messages.push({ role: 'assistant', content: '', call });
		messages.push({ role: 'tool', content: resultText(output), callId: call.id });
	};
	for (const { role, content } of prompt) {
		const texts: string[] = [];
		for (const part of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
			if (part.type === 'text') texts.push(part.text);
			else if (hasTools && part.type === 'tool-call') calls.set(part.toolCallId, part);
			else if (hasTools && part.type === 'tool-result') addResult(part);
			// A template wants no reasoning of earlier turns.
			else if (part.type !== 'reasoning') unsupported.add(part.type);
			if (part.type === 'file') texts.push(insteadOf(part));
		}
		if (role === 'tool' || texts.length === 0) continue;
		const text = texts.join('\n\n');
		const last = messages.at(-1);
		if (last?.role === role) last.content += `\n\n${text}`;
		else messages.push({ role, content: text });
	}
	return { messages, warnings: [...unsupported].map((feature) => ({ type: 'unsupported', feature })) };
}

function resultText(output: LanguageModelV4ToolResultOutput): string {
	if (output.type === 'execution-denied') return output.reason ?? 'The call was not allowed.';
	return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}

function insteadOf({ filename, mediaType }: LanguageModelV4FilePart): string {
	const what = mediaType.startsWith('image') ? 'image' : 'file';
	return `[${[what, filename].filter(Boolean).join(' ')}, which this model can't see]`;
}
