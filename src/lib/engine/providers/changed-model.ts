import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';

/** Things in which a model is to be other than the SDK makes it. */
interface Changes {
	options?: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;
	usage?: (usage: LanguageModelV4Usage) => LanguageModelV4Usage;
	/** Has a stream that ends without an end be an error. */
	needsEnd?: true;
}

/** Returns a model that is asked with other options, or tells its usage in another way. */
export function changedModel(model: LanguageModelV4, { options: change = (options) => options, usage: tell = (usage) => usage, needsEnd }: Changes): LanguageModelV4 {
	const told = (part: LanguageModelV4StreamPart): LanguageModelV4StreamPart => {
		if (part.type !== 'finish') return part;
		return needsEnd && part.finishReason.unified === 'interrupted' ? { type: 'error', error: new EarlyEnd() } : { ...part, usage: tell(part.usage) };
	};
	return {
		specificationVersion: 'v4',
		provider: model.provider,
		modelId: model.modelId,
		supportedUrls: model.supportedUrls,
		async doGenerate(options) {
			const result = await model.doGenerate(change(options));
			return { ...result, usage: tell(result.usage) };
		},
		async doStream(options) {
			const result = await model.doStream(change(options));
			return { ...result, stream: mapped(result.stream, told, needsEnd) };
		}
	};
}

/** Not by a TransformStream, which would lose the part in its queue where the stream breaks off. */
function mapped(
	stream: ReadableStream<LanguageModelV4StreamPart>,
	change: (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart,
	needsEnd: true | undefined
): ReadableStream<LanguageModelV4StreamPart> {
	const reader = stream.getReader();
	let hasEnd = !needsEnd;
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await reader.read();
			if (!done) {
				const part = change(value);
				hasEnd ||= part.type === 'finish' || part.type === 'error';
				controller.enqueue(part);
				return;
			}
			if (!hasEnd) controller.enqueue({ type: 'error', error: new EarlyEnd() });
			controller.close();
		},
		cancel: (reason) => reader.cancel(reason)
	});
}

/** A stream that closed without its end. */
export class EarlyEnd extends Error {}
