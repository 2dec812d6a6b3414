import { compatibleModel, openAiCompatible } from './openai-compatible';
import type { AnswerProvider, ProviderPorts } from './provider';
import { commonError, field, openAiLike, type ServerProtocol } from './server-protocol';
import { createServerProvider, type ServerSpeech } from './server-provider';

const protocol: ServerProtocol = {
	...openAiLike,
	server: 'OpenRouter',
	keyCheck: '/key',
	errorIn(content) {
		const said = commonError(content);
		// “Provider returned error” says less than what the provider said.
		const raw = field(field(field(content, 'error'), 'metadata'), 'raw');
		return typeof raw === 'string' && raw !== '' ? { ...said, message: raw } : said;
	}
};

const openRouter: ServerSpeech = {
	...openAiCompatible,
	label: 'OpenRouter',
	servers: { baseUrl: 'https://openrouter.ai/api/v1', key: { isNeeded: true, from: { label: 'OpenRouter, API keys', url: 'https://openrouter.ai/settings/keys' } } },
	protocol,
	defaultAddresses: [],
	model: (id, endpoint) => compatibleModel(id, endpoint, toBody)
};

/** Asks for the cost of the answer, and for reasoning in the way that works for the models of all makers. */
function toBody({ reasoning_effort: effort, ...body }: Record<string, unknown>): Record<string, unknown> {
	return { ...body, usage: { include: true }, ...(effort !== undefined && { reasoning: { effort } }) };
}

/** Creates the provider for OpenRouter: OpenAI's chat protocol, with prices of models and the cost of each answer. */
export function createProvider(ports: ProviderPorts): AnswerProvider {
	return createServerProvider(openRouter, ports);
}
