import { changedModel } from './changed-model';
import { openAiCompatible } from './openai-compatible';
import type { AnswerProvider, ProviderPorts } from './provider';
import { publishedWindow } from './published-windows';
import { commonError, openAiLike, type ServerProtocol } from './server-protocol';
import { createServerProvider, type ServerSpeech } from './server-provider';

/** Names of models in OpenAI's list, which does not say what each is for, that answer no chat. */
const otherKinds = /embedding|whisper|tts|dall-e|moderation|image|realtime|transcribe|audio|sora|babbage|davinci|instruct/;

const protocol: ServerProtocol = {
	...openAiLike,
	server: 'a server that speaks OpenAI’s Responses protocol',
	models: (content) => openAiLike.models(content)?.filter(({ id }) => typeof id !== 'string' || !otherKinds.test(id)),
	errorIn(content) {
		const said = commonError(content);
		const [, minutes = 0, seconds] = /try again in (?:(\d+)m)?([\d.]+)s/i.exec(said.message) ?? [];
		return { ...said, ...(seconds !== undefined && { retryAfter: Number(minutes) * 60 + Number(seconds) }) };
	}
};

const openAi: ServerSpeech = {
	label: 'OpenAI',
	servers: { baseUrl: 'https://api.openai.com/v1', key: { isNeeded: true, from: { label: 'OpenAI Platform, API keys', url: 'https://platform.openai.com/api-keys' } } },
	protocol,
	// The Responses API has neither stop texts nor a seed.
	parameters: ['temperature', 'topP', 'maxTokens', 'reasoningEffort'],
	async model(id, endpoint) {
		const { createOpenAI } = await import('@ai-sdk/openai');
		const model = createOpenAI(endpoint).responses(id);
		// OpenAI keeps what is said for a month else.
		return changedModel(model, { options: (options) => ({ ...options, providerOptions: { ...options.providerOptions, openai: { store: false } } }) });
	},
	window: publishedWindow,
	vocabulary: openAiCompatible.vocabulary
};

/** Creates the provider for OpenAI's own servers, by its Responses API, which alone tells of reasoning. */
export function createProvider(ports: ProviderPorts): AnswerProvider {
	return createServerProvider(openAi, ports);
}
