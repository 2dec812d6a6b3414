import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { AppError } from '../../shared/app-error';
import { ConnectionFailure, type Egress } from '../../shared/egress';
import { SecretRedactor } from '../../shared/redact-secret';
import { limitedAnswer, toolCallLimit } from './answer-limits';
import { explainServerFailure, type Reach, type Server } from './server-failure';
import { serverFetch, UnfitAnswer } from './server-fetch';

/** How to reach a server. */
export interface Access extends Egress {
	reach: Reach;
}

/**
 * A model at a server that speaks OpenAI's chat protocol. Nothing is sent yet. `doStream` throws an AppError where no
 * answer begins; a stream that has begun ends with one `finish` part, or with one `error` part that holds an AppError.
 * Aborts come through as they are. What the server says is within limits and holds no API key.
 */
export async function openServer(
	server: Server,
	modelId: string,
	{ reach, ...egress }: Access
): Promise<LanguageModelV4> {
	// Before the SDK makes its schemas: their library would try out `new Function`, which the page's policy forbids and reports.
	(await import('zod/v4/core')).config({ jitless: true });
	const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
	const model = createOpenAICompatible({
		name: 'server',
		baseURL: server.baseUrl,
		includeUsage: true,
		metadataExtractor: toolCallLimit,
		fetch: serverFetch('answer', egress),
		...(server.apiKey ? { apiKey: server.apiKey } : {})
	}).languageModel(modelId);
	const explain = (error: unknown) => explainServerFailure(error, server, reach);

	return {
		specificationVersion: 'v4',
		provider: model.provider,
		modelId,
		supportedUrls: model.supportedUrls,
		async doGenerate(options) {
			try {
				const result = await model.doGenerate(withWholeTexts(options));
				const redactor = new SecretRedactor(server.apiKey);
				const content = result.content.map((part) =>
					part.type === 'text' || part.type === 'reasoning' ? { ...part, text: redactor.redact(part.text) } : part
				);
				return { ...result, content, usage: asReported(result.usage) };
			} catch (error) {
				throw await explain(error);
			}
		},
		async doStream(options) {
			try {
				const result = await model.doStream(withWholeTexts(options));
				return { ...result, stream: limitedAnswer(withExplainedEnd(result.stream, explain), server.apiKey) };
			} catch (error) {
				throw await explain(error);
			}
		}
	};
}

/** Texts that follow one another in a message as one: many servers take a list of parts only where there is an image. */
function withWholeTexts(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
	const prompt = options.prompt.map((message) => {
		if (message.role !== 'user') return message;
		const content: typeof message.content = [];
		for (const part of message.content) {
			const last = content.at(-1);
			if (part.type === 'text' && last?.type === 'text') content.splice(-1, 1, { ...last, text: `${last.text}\n\n${part.text}` });
			else content.push(part);
		}
		return { ...message, content };
	});
	return { ...options, prompt };
}

/** The same parts up to the first failure, which then is the last part, explained. */
function withExplainedEnd(
	stream: ReadableStream<LanguageModelV4StreamPart>,
	explain: (error: unknown) => Promise<AppError>
): ReadableStream<LanguageModelV4StreamPart> {
	const reader = stream.getReader();
	let hasBegun = false;

	/** The next part; a failed read as an `error` part. */
	const next = async (): Promise<LanguageModelV4StreamPart | undefined> => {
		try {
			return (await reader.read()).value;
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
				controller.enqueue(part.type === 'finish' ? { ...part, usage: asReported(part.usage) } : part);
			} else {
				const error = await explain(endedEarly(part.error) ? earlyEnd(hasBegun) : part.error);
				controller.enqueue({ type: 'error', error });
				controller.close();
				// Frees the connection; where the read itself failed there is none, and cancelling only says so again.
				await reader.cancel().catch(() => undefined);
			}
		},
		cancel: (reason) => reader.cancel(reason)
	});
}

/** Without the number of cached tokens where the server reported none: the SDK says 0 then. */
function asReported(usage: LanguageModelV4Usage): LanguageModelV4Usage {
	const details = usage.raw?.prompt_tokens_details as { cached_tokens?: number | null } | null | undefined;
	if (typeof details?.cached_tokens === 'number') return usage;
	return { ...usage, inputTokens: { ...usage.inputTokens, cacheRead: undefined } };
}

/** The SDK's word for a stream that closed without a finish reason. */
function endedEarly(error: unknown): boolean {
	return error instanceof Error && error.name === 'AI_InvalidResponseDataError';
}

/** A stream of which nothing could be read was no chat stream. */
function earlyEnd(hasBegun: boolean): Error {
	return hasBegun ? new ConnectionFailure('broke-off') : new UnfitAnswer(200, '');
}
