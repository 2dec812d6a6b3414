import { parameterNames } from '../../conversation/model-parameters';
import { windowOf } from '../../conversation/model-traits';
import type { AnswerProvider, ProviderPorts } from './provider';
import { publishedWindow } from './published-windows';
import { commonError, entriesIn, field, overloaded, type SaidError, type ServerProtocol } from './server-protocol';
import { createServerProvider, type ServerSpeech } from './server-provider';

const protocol: ServerProtocol = {
	server: 'a server that speaks Google’s Gemini protocol',
	version: '/v1beta',
	key: { header: 'x-goog-api-key' },
	list: '/models?pageSize=1000',
	models: (content) =>
		entriesIn(content, 'models', (entry) => {
			const name = field(entry, 'name');
			const methods = field(entry, 'supportedGenerationMethods');
			return {
				id: typeof name === 'string' ? name.replace(/^models\//, '') : name,
				traits: { ...windowOf(field(entry, 'inputTokenLimit')), ...(field(entry, 'thinking') === true && { reasoning: true as const }) },
				answers: !Array.isArray(methods) || methods.includes('generateContent')
			};
		})?.filter(({ answers }) => answers),
	errorIn(content) {
		// A failed request for a stream is answered with a list of one error.
		const [first] = Array.isArray(content) ? (content as unknown[]) : [content];
		return { ...commonError(first), ...detailsOf(field(first, 'error')) };
	},
	contextFull: /token count.{0,40}exceeds|exceeds the maximum number of (input )?tokens/i,
	window: /tokens allowed \(?([\d,]+)/i
};

/** Reads what Google says beside the words of an error: that a bad key is one, which has the status 400, and how long to wait. */
function detailsOf(error: unknown): Partial<SaidError> {
	const listed = field(error, 'details');
	const details: unknown[] = Array.isArray(listed) ? listed.slice(0, 20) : [];
	const delays = details.map((detail) => field(detail, 'retryDelay')).filter((delay) => typeof delay === 'string');
	const retryAfter = parseFloat(delays[0] ?? '');
	const isKey = details.some((detail) => field(detail, 'reason') === 'API_KEY_INVALID');
	const status = isKey ? 401 : field(error, 'status') === 'UNAVAILABLE' ? overloaded : undefined;
	return { ...(status !== undefined && { status }), ...(retryAfter > 0 && { retryAfter }) };
}

const google: ServerSpeech = {
	label: 'Google Gemini',
	servers: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta', key: { isNeeded: true, from: { label: 'Google AI Studio, API keys', url: 'https://aistudio.google.com/apikey' } } },
	protocol,
	parameters: parameterNames,
	async model(id, endpoint) {
		const { createGoogle } = await import('@ai-sdk/google');
		return createGoogle(endpoint).languageModel(id);
	},
	window: publishedWindow,
	vocabulary: () => undefined
};

/** Creates the provider for Google’s Gemini API. The key goes in a header, never in an address. */
export function createProvider(ports: ProviderPorts): AnswerProvider {
	return createServerProvider(google, ports);
}
