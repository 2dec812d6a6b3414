import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message } from '../conversation/message';
import { textOf } from '../conversation/message';

/**
 * What the model is sent for a path: its system prompt, then the texts in order. It depends on nothing but the rows, so
 * a resumed session sends byte-equal history [E12, Z2]. Reasoning is not sent back. Two messages of the person in a row
 * (the first was never answered) become one, since many chat templates refuse a role twice.
 */
export function toPrompt(path: Message[]): LanguageModelV4Prompt {
	const prompt: LanguageModelV4Prompt = [];
	for (const message of path) {
		const text = textOf(message);
		if (text === '') continue;
		const last = prompt.at(-1);
		if (message.role === 'system') prompt.push({ role: 'system', content: text });
		else if (message.role === 'assistant') prompt.push({ role: 'assistant', content: [{ type: 'text', text }] });
		else if (last?.role === 'user') last.content.push({ type: 'text', text });
		else prompt.push({ role: 'user', content: [{ type: 'text', text }] });
	}
	return prompt;
}
