import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4Content,
	LanguageModelV4GenerateResult,
	LanguageModelV4StreamPart
} from '@ai-sdk/provider';

/**
 * Makes a model of the AI SDK's contract of a function that tells the parts of an answer, the last of which is a `finish` part. What it throws ends
 * the stream; where nobody reads on, it is returned from.
 */
export function streamedModel(provider: string, modelId: string, answer: (options: LanguageModelV4CallOptions) => AsyncGenerator<LanguageModelV4StreamPart, undefined>): LanguageModelV4 {
	const stream = (options: LanguageModelV4CallOptions) => toStream(answer(options));
	return {
		specificationVersion: 'v4',
		provider,
		modelId,
		supportedUrls: {},
		doStream: (options) => Promise.resolve({ stream: stream(options) }),
		doGenerate: (options) => collect(stream(options))
	};
}

function toStream(parts: AsyncGenerator<LanguageModelV4StreamPart, undefined>): ReadableStream<LanguageModelV4StreamPart> {
	return new ReadableStream({
		async pull(controller) {
			const { value, done } = await parts.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await parts.return(undefined);
		}
	});
}

async function collect(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4GenerateResult> {
	const content: LanguageModelV4Content[] = [];
	let warnings: LanguageModelV4GenerateResult['warnings'] = [];
	const reader = stream.getReader();
	for (;;) {
		const { value: part, done } = await reader.read();
		if (done) throw new Error('The stream ended without a finish part.');
		if (part.type === 'error') throw part.error;
		if (part.type === 'stream-start') warnings = part.warnings;
		if (part.type === 'text-start') content.push({ type: 'text', text: '' });
		if (part.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' });
		if (part.type === 'tool-call') content.push(part);
		if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
			const last = content.at(-1);
			if (last?.type === 'text' || last?.type === 'reasoning') last.text += part.delta;
		}
		if (part.type === 'finish') return { content, finishReason: part.finishReason, usage: part.usage, warnings };
	}
}
