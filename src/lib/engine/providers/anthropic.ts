import { parameterNames } from '../../conversation/model-parameters';
import { windowOf } from '../../conversation/model-traits';
import type { AnswerProvider, ProviderPorts } from './provider';
import { publishedWindow } from './published-windows';
import { commonError, entriesIn, field, type ServerProtocol } from './server-protocol';
import { createServerProvider, type ServerSpeech } from './server-provider';

const isSupported = (capability: unknown) => field(capability, 'supported') === true;

const protocol: ServerProtocol = {
	server: 'a server that speaks Anthropic’s protocol',
	version: '/v1',
	key: { header: 'x-api-key' },
	// Without the second one, Anthropic answers no page.
	headers: { 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true' },
	list: '/models?limit=1000',
	models: (content) =>
		entriesIn(content, 'data', (entry) => {
			const capabilities = field(entry, 'capabilities');
			return {
				id: field(entry, 'id'),
				traits: {
					...windowOf(field(entry, 'max_input_tokens')),
					...(isSupported(field(capabilities, 'image_input')) && { images: true as const }),
					// The protocol has tools for all of its models, and does not say so of each.
					tools: true as const,
					...(isSupported(field(capabilities, 'thinking')) && { reasoning: true as const })
				}
			};
		}),
	errorIn(content) {
		const said = commonError(content);
		const noCredit = said.code === 'billing_error' || /credit balance is too low/i.test(said.message);
		return { ...said, ...(noCredit && { noCredit }) };
	},
	contextFull: /prompt is too long|exceed.{0,20}context (limit|window)/i,
	// Of “188240 + 21333 > 200000”, where the longest answer is counted too, nothing is learnt of how long a prompt may be.
	window: /\d tokens > ([\d,]+) maximum/i
};

const anthropic: ServerSpeech = {
	label: 'Anthropic',
	servers: { baseUrl: 'https://api.anthropic.com/v1', key: { isNeeded: true, from: { label: 'Anthropic Console, API keys', url: 'https://console.anthropic.com/settings/keys' } } },
	protocol,
	parameters: parameterNames.filter((name) => name !== 'seed'),
	async model(id, endpoint) {
		const { createAnthropic } = await import('@ai-sdk/anthropic');
		// The protocol asks for the most tokens of an answer: where the user set none, the SDK sends the most that the model can write.
		return createAnthropic(endpoint).languageModel(id);
	},
	window: publishedWindow,
	vocabulary: () => undefined
};

/** Creates the provider for Anthropic’s Messages API, which answers pages that say that they are one. */
export function createProvider(ports: ProviderPorts): AnswerProvider {
	return createServerProvider(anthropic, ports);
}
