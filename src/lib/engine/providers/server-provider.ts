import type { LanguageModelV4 } from '@ai-sdk/provider';
import { AppError } from '../../shared/app-error';
import { ConnectionFailure, type Egress } from '../../shared/egress';
import type { Provider } from '../../storage/tables/providers';
import type { AnswerSource } from './answer-source';
import { changedModel, EarlyEnd } from './changed-model';
import type { AnswerProvider, OpenedModel, ProviderPorts } from './provider';
import { requestBody } from './request-body';
import { toServerError, type Server } from './server-failure';
import { serverFetch, UnfitAnswer } from './server-fetch';
import type { ServerProtocol } from './server-protocol';
import type { Reach } from './server-reach';
import { headersFor, listModels } from './servers';

/** Access to a server. */
export interface Access extends Egress {
	reach: Reach;
}

/** A model's place, as the SDK takes it. */
export interface Endpoint {
	baseURL: string;
	/** Stands for a key, which most SDKs ask for: it goes nowhere. */
	apiKey: 'unsent';
	/** Sends requests with the headers that the protocol has and, where there is one, the real key. */
	fetch: typeof globalThis.fetch;
}

/** The part of a provider that is its own, where it talks to servers. */
export interface ServerSpeech extends Pick<AnswerProvider, 'label' | 'parameters' | 'window' | 'vocabulary'>, Partial<Pick<AnswerProvider, 'defaultAddresses'>> {
	servers: NonNullable<AnswerProvider['servers']>;
	protocol: ServerProtocol;
	/** Makes the SDK's model; loads the SDK. */
	model: (id: string, endpoint: Endpoint) => Promise<LanguageModelV4>;
}

/** Creates a provider that talks to servers. */
export function createServerProvider(speech: ServerSpeech, { keyOf, reach, egress }: ProviderPorts): AnswerProvider {
	const { protocol, model: _, ...own } = speech;
	return {
		defaultAddresses: [],
		...own,
		wordless: ({ baseUrl, apiKey }) => ({
			url: `${baseUrl}${protocol.list}`,
			headers: { 'content-type': 'application/json', ...headersFor(protocol, apiKey) },
			usualPath: protocol.version
		}),
		listModels: (server, asking) => listModels(server, { protocol, reach, ...egress, ...asking }),
		async open(source) {
			const server = serverOf(source);
			const apiKey = await keyOf(server.id);
			return openAt(speech, { ...server, ...(apiKey ? { apiKey } : {}) }, source.model, { reach, ...egress });
		},
		// Without the key: what is shown is the body, which does not hold it.
		requestBody: (source, options) => requestBody(async (fetch) => (await openAt(speech, serverOf(source), source.model, { reach, fetch })).model, options),
		takesTools: () => Promise.resolve(true),
		canSummarise: () => true
	};
}

function serverOf({ server, model }: AnswerSource): Provider {
	if (!server) throw new AppError('server-absent', `No server is known for ${model}. Choose another model.`);
	return server;
}

/** Opens a model at a server. Nothing is sent yet. */
export async function openAt({ protocol, model }: ServerSpeech, server: Server, modelId: string, { reach, ...egress }: Access): Promise<OpenedModel> {
	// Before the SDK makes its schemas: their library would try out `new Function`, which the page's policy forbids and reports.
	(await import('zod/v4/core')).config({ jitless: true });
	const { apiKey } = server;
	const asked: Asked = { requests: 0, hasAnswered: false };
	const fetch = withHeaders(serverFetch('answer', egress), protocol, server, asked);
	const told = changedModel(await model(modelId, { baseURL: server.baseUrl, apiKey: 'unsent', fetch }), { needsEnd: true });
	return {
		model: {
			...told,
			doStream(options) {
				Object.assign(asked, { requests: 0, hasAnswered: false });
				return told.doStream(options);
			}
		},
		explain: (error, hasBegun) => toServerError(endedEarly(error) ? earlyEnd(hasBegun) : error, server, { protocol, reach, hasAnswered: asked.hasAnswered }),
		...(apiKey ? { apiKey } : {})
	};
}

/** The most requests for one answer: an SDK may go on by itself for as long as the server asks it to. */
const maxRequests = 64;

/** State of asking for one answer: how many requests were sent, and whether one was answered. */
interface Asked {
	requests: number;
	hasAnswered: boolean;
}

/** Sends requests with the key, to addresses below the server's base URL only, whatever the name of a model makes of them. */
function withHeaders(fetch: typeof globalThis.fetch, protocol: ServerProtocol, { baseUrl, apiKey }: Server, asked: Asked): typeof globalThis.fetch {
	return async (input, init = {}) => {
		const { href } = new URL(input instanceof Request ? input.url : input);
		if (!href.startsWith(`${new URL(baseUrl).href.replace(/\/$/, '')}/`)) throw new ConnectionFailure('redirected');
		if (++asked.requests > maxRequests) throw new ConnectionFailure('too-large');
		const headers = new Headers(init.headers);
		headers.delete(protocol.key.header);
		for (const [name, value] of Object.entries(headersFor(protocol, apiKey))) headers.set(name, value);
		const response = await fetch(input, { ...init, headers });
		asked.hasAnswered = true;
		return response;
	};
}

/** One SDK throws where another has a part for it. */
function endedEarly(error: unknown): boolean {
	return error instanceof EarlyEnd || (error instanceof Error && error.name === 'AI_InvalidResponseDataError');
}

/** A stream of which nothing could be read was no chat stream. */
function earlyEnd(hasBegun: boolean): Error {
	return hasBegun ? new ConnectionFailure('broke-off') : new UnfitAnswer(200, '');
}
