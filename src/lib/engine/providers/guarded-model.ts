import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ConnectionFailure } from '../../shared/egress';
import { SecretRedactor } from '../../shared/redact-secret';
import { limitedAnswer, maxToolCalls } from './answer-limits';
import type { OpenedModel } from './provider';

/**
 * Makes a provider's model one that turns can rely on. `doStream` throws an AppError where no answer begins; a stream that has begun ends
 * with one `finish` part, or with one `error` part that holds an AppError. Aborts come through as they are. What the model says is
 * within limits and holds no API key.
 */
export function guardedModel({ model, explain, apiKey }: OpenedModel): LanguageModelV4 {
	return {
		specificationVersion: 'v4',
		provider: model.provider,
		modelId: model.modelId,
		supportedUrls: model.supportedUrls,
		async doGenerate(options) {
			try {
				const result = await model.doGenerate(options);
				const redactor = new SecretRedactor(apiKey);
				const content = result.content.map((part) =>
					part.type === 'text' || part.type === 'reasoning' ? { ...part, text: redactor.redact(part.text) } : part
				);
				return { ...result, content };
			} catch (error) {
				throw await explain(error, false);
			}
		},
		async doStream(options) {
			try {
				const result = await model.doStream(options);
				return { ...result, stream: limitedAnswer(withExplainedEnd(result.stream, explain), apiKey) };
			} catch (error) {
				throw await explain(error, false);
			}
		}
	};
}

/** Returns the same parts up to the first failure, which then is the last part, explained. */
function withExplainedEnd(
	stream: ReadableStream<LanguageModelV4StreamPart>,
	explain: OpenedModel['explain']
): ReadableStream<LanguageModelV4StreamPart> {
	const reader = stream.getReader();
	let hasBegun = false;
	let calls = 0;

	/** Reads the next part; a failed read, or a call too many, as an `error` part. */
	const next = async (): Promise<LanguageModelV4StreamPart | undefined> => {
		try {
			const { value } = await reader.read();
			if (value?.type === 'tool-call' && ++calls > maxToolCalls) throw new ConnectionFailure('too-large');
			return value;
		} catch (error) {
			return { type: 'error', error };
		}
	};

	return new ReadableStream({
		async pull(controller) {
			const part = await next();
			if (!part) {
				controller.close();
			} else if (part.type !== 'error') {
				hasBegun ||= part.type !== 'stream-start';
				controller.enqueue(part);
			} else {
				controller.enqueue({ type: 'error', error: await explain(part.error, hasBegun) });
				controller.close();
				// Frees the connection; where the read itself failed there is none, and cancelling only says so again.
				await reader.cancel().catch(() => undefined);
			}
		},
		cancel: (reason) => reader.cancel(reason)
	});
}
