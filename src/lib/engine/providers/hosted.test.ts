import { describe } from 'vitest';
import { describeHostedService } from '../../../../tests/contract/server-provider';
import { startAnthropicServer } from '../../../../tests/fixtures/anthropic-server.mjs';
import { startGoogleServer } from '../../../../tests/fixtures/google-server.mjs';
import { startOpenRouterServer } from '../../../../tests/fixtures/openrouter-server.mjs';
import { startResponsesServer } from '../../../../tests/fixtures/responses-server.mjs';

describe('Anthropic', () =>
	describeHostedService({
		id: 'anthropic',
		start: startAnthropicServer,
		path: '/v1',
		key: { header: 'x-api-key' },
		headers: { 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true' },
		traits: { context: 200_000, images: true, tools: true, reasoning: true },
		windows: { 'claude-sonnet-4-5': 200_000 },
		noCredit: [400, { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' } }],
		window: 200_000,
		body: {
			plain: { model: 'echo', max_tokens: 4096, stream: true, system: [{ type: 'text', text: 'Be brief.' }], messages: [{ role: 'user', content: [{ type: 'text', text: 'Say this, 你好.' }] }] },
			image: { source: { type: 'base64', media_type: 'image/png', data: 'AQID' } },
			set: [{ temperature: 0.5, maxOutputTokens: 77, stopSequences: ['END'] }, { temperature: 0.5, max_tokens: 77, stop_sequences: ['END'] }]
		}
	}));

describe('Google', () =>
	describeHostedService({
		id: 'google',
		start: startGoogleServer,
		path: '/v1beta',
		key: { header: 'x-goog-api-key' },
		traits: { context: 1_048_576, reasoning: true },
		windows: { 'gemini-2.5-pro': 1_048_576 },
		window: 1_048_576,
		body: {
			plain: { generationConfig: {}, systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents: [{ role: 'user', parts: [{ text: 'Say this, 你好.' }] }] },
			image: { inlineData: { mimeType: 'image/png', data: 'AQID' } },
			set: [{ temperature: 0.5, maxOutputTokens: 77, stopSequences: ['END'], seed: 7 }, { generationConfig: { temperature: 0.5, maxOutputTokens: 77, stopSequences: ['END'], seed: 7 } }]
		}
	}));

describe('OpenAI', () =>
	describeHostedService({
		id: 'openai',
		start: startResponsesServer,
		path: '/v1',
		key: { header: 'authorization', prefix: 'Bearer ' },
		windows: { 'gpt-4o-mini': 128_000, 'o3-mini': 200_000 },
		noCredit: [429, { error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', param: null, code: 'insufficient_quota' } }],
		window: 'less',
		body: {
			plain: { model: 'echo', store: false, stream: true, input: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: [{ type: 'input_text', text: 'Say this, 你好.' }] }] },
			image: { image_url: 'data:image/png;base64,AQID' },
			set: [{ temperature: 0.5, maxOutputTokens: 77 }, { temperature: 0.5, max_output_tokens: 77 }]
		}
	}));

describe('OpenRouter', () =>
	describeHostedService({
		id: 'openrouter',
		start: startOpenRouterServer,
		path: '/api/v1',
		key: { header: 'authorization', prefix: 'Bearer ' },
		traits: { context: 131_072, images: true, tools: true, reasoning: true, price: { input: 3, output: 15 } },
		windows: { 'openai/gpt-4.1': 1_047_576, 'anthropic/claude-sonnet-4.5': 200_000 },
		noCredit: [402, { error: { code: 402, message: 'Insufficient credits.' } }],
		window: 131_072,
		costUsd: 0.0021,
		body: {
			plain: {
				model: 'echo',
				stream: true,
				stream_options: { include_usage: true },
				usage: { include: true },
				messages: [
					{ role: 'system', content: 'Be brief.' },
					{ role: 'user', content: 'Say this, 你好.' }
				]
			},
			image: { image_url: { url: 'data:image/png;base64,AQID' } },
			set: [{ temperature: 0.5, maxOutputTokens: 77, reasoning: 'low', seed: 7 }, { temperature: 0.5, max_tokens: 77, reasoning: { effort: 'low' }, seed: 7 }]
		}
	}));
