import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { parameterNames } from '../../conversation/model-parameters';
import { AppError } from '../../shared/app-error';
import { ConnectionFailure, type Egress } from '../../shared/egress';
import type { Provider } from '../../storage/tables/providers';
import { openAiEncoding } from '../tokens/openai-encoding';
import { toolCallLimit } from './answer-limits';
import type { AnswerSource } from './answer-source';
import type { AnswerProvider, DefaultAddress, OpenedModel, ProviderPorts } from './provider';
import { requestBody } from './request-body';
import { toServerError, type Reach, type Server } from './server-failure';
import { serverFetch, UnfitAnswer } from './server-fetch';
import { listModels } from './servers';

const defaultAddresses: readonly DefaultAddress[] = [
	{ name: 'Ollama', baseUrl: 'http://localhost:11434/v1', ownPort: true },
	{ name: 'LM Studio', baseUrl: 'http://localhost:1234/v1', ownPort: true },
	{ name: 'llama.cpp', baseUrl: 'http://localhost:8080/v1', ownPort: false },
	{ name: 'vLLM', baseUrl: 'http://localhost:8000/v1', ownPort: false }
];

/** The windows that makers publish for their models, in tokens; the first that fits the name counts. */
const published: [RegExp, number][] = [
	[/^gpt-4\.1/, 1_047_576],
	[/^gpt-5/, 400_000],
	[/^o[134]\b/, 200_000],
	[/^(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-oss)/, 128_000],
	[/^gpt-4/, 8192],
	[/^gpt-3\.5-turbo/, 16_385],
	[/^claude-/, 200_000],
	[/^gemini-/, 1_048_576]
];

/** Creates the provider for servers that speak OpenAI's chat protocol, as most do. */
export function createProvider({ keyOf, reach, egress }: ProviderPorts): AnswerProvider {
	return {
		parameters: parameterNames,
		defaultAddresses,
		listModels: (server, asking) => listModels(server, { reach, ...egress, ...asking }),
		async open(source) {
			const server = serverOf(source);
			const apiKey = await keyOf(server.id);
			return openServer({ ...server, ...(apiKey ? { apiKey } : {}) }, source.model, { reach, ...egress });
		},
		// Without the key: what is shown is the body, which does not hold it.
		requestBody: (source, options) =>
			requestBody(async (fetch) => (await openServer(serverOf(source), source.model, { reach, fetch })).model, options),
		window({ model }) {
			const [, tokens] = published.find(([pattern]) => pattern.test(model.replace(/^.*\//, '').toLowerCase())) ?? [];
			return tokens === undefined ? {} : { stated: { tokens, from: 'name' } };
		},
		canSummarise: () => true,
		vocabulary({ model }) {
			const encoding = openAiEncoding(model);
			return encoding && { encoding };
		}
	};
}

function serverOf({ server, model }: AnswerSource): Provider {
	if (!server) throw new AppError('server-absent', `No server is known for ${model}. Choose another model.`);
	return server;
}

/** Access to a server. */
export interface Access extends Egress {
	reach: Reach;
}

/** Opens a model at a server that speaks OpenAI's chat protocol. Nothing is sent yet. */
export async function openServer(server: Server, modelId: string, { reach, ...egress }: Access): Promise<OpenedModel> {
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

	return {
		model: asServersAre(model),
		explain: (error, hasBegun) => toServerError(endedEarly(error) ? earlyEnd(hasBegun) : error, server, reach),
		...(server.apiKey ? { apiKey: server.apiKey } : {})
	};
}

/** The SDK's model, with what many servers do not take or say. */
function asServersAre(model: LanguageModelV4): LanguageModelV4 {
	return {
		specificationVersion: 'v4',
		provider: model.provider,
		modelId: model.modelId,
		supportedUrls: model.supportedUrls,
		async doGenerate(options) {
			const result = await model.doGenerate(withWholeTexts(options));
			return { ...result, usage: asReported(result.usage) };
		},
		async doStream(options) {
			const result = await model.doStream(withWholeTexts(options));
			return { ...result, stream: withReportedUsage(result.stream) };
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

/** Not by a TransformStream, which would lose the part in its queue where the stream breaks off. */
function withReportedUsage(stream: ReadableStream<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
	const reader = stream.getReader();
	return new ReadableStream({
		async pull(controller) {
			const { done, value: part } = await reader.read();
			if (done) controller.close();
			else controller.enqueue(part.type === 'finish' ? { ...part, usage: asReported(part.usage) } : part);
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
