import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider';
import { parameterNames } from '../../conversation/model-parameters';
import { openAiEncoding } from '../tokens/openai-encoding';
import { toolCallLimit } from './answer-limits';
import { changedModel } from './changed-model';
import type { AnswerProvider, DefaultAddress, ProviderPorts } from './provider';
import { publishedWindow } from './published-windows';
import { serverKinds } from './server-kinds';
import { openAiLike } from './server-protocol';
import { createServerProvider, type Endpoint, type ServerSpeech } from './server-provider';

const defaultAddresses: readonly DefaultAddress[] = serverKinds.map(({ name, port, ownPort }) => ({ name, baseUrl: `http://localhost:${port}/v1`, ownPort }));

/** The way of servers that speak OpenAI's chat protocol. */
export const openAiCompatible: ServerSpeech = {
	label: 'Another server',
	servers: { key: { isNeeded: false } },
	protocol: openAiLike,
	parameters: parameterNames,
	defaultAddresses,
	model: (id, endpoint) => compatibleModel(id, endpoint),
	window: publishedWindow,
	vocabulary({ model }) {
		const encoding = openAiEncoding(model);
		return encoding && { encoding };
	}
};

/** Creates the provider for servers that speak OpenAI's chat protocol, as most do. */
export function createProvider(ports: ProviderPorts): AnswerProvider {
	return createServerProvider(openAiCompatible, ports);
}

/** Makes the SDK's model, with what many servers do not take or say; `toBody` changes the body of a request. */
export async function compatibleModel(id: string, endpoint: Endpoint, toBody?: (body: Record<string, unknown>) => Record<string, unknown>): Promise<LanguageModelV4> {
	const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
	const provider = createOpenAICompatible({
		name: 'server',
		includeUsage: true,
		metadataExtractor: toolCallLimit,
		...(toBody && { transformRequestBody: toBody }),
		...endpoint
	});
	return changedModel(provider.languageModel(id), { options: withWholeTexts, usage: asReported });
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

/** Without the number of cached tokens where the server reported none: the SDK says 0 then. */
function asReported(usage: LanguageModelV4Usage): LanguageModelV4Usage {
	const details = usage.raw?.prompt_tokens_details as { cached_tokens?: number | null } | null | undefined;
	if (typeof details?.cached_tokens === 'number') return usage;
	return { ...usage, inputTokens: { ...usage.inputTokens, cacheRead: undefined } };
}
