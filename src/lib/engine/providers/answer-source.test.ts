import { expect, it } from 'vitest';
import type { LocalModel } from '../../storage/tables/models';
import type { Provider } from '../../storage/tables/providers';
import type { Source } from '../../storage/tables/settings';
import { resolveAnswerSource } from './answer-source';

const model = (id: string, createdAt: number): LocalModel => ({
	id,
	name: id,
	bytes: 1,
	sha256: id,
	architecture: 'llama',
	contextLength: 2048,
	hasChatTemplate: true,
	createdAt
});
const [older, newer] = [model('older', 1), model('newer', 2)];
const server: Provider = { id: 'server', name: 'Server', baseUrl: 'http://localhost/v1', createdAt: 1 };
const weights = { name: 'Default', bytes: 1, url: 'http://localhost/w.gguf' };
const both = [older, newer];

const olderChosen: Source = { kind: 'on-device', modelId: 'older' };
const goneChosen: Source = { kind: 'on-device', modelId: 'gone' };
const serverChosen: Source = { kind: 'server', providerId: 'server', model: 'm' };

it.each([
	['the chosen server', serverChosen, both, [server], weights, { kind: 'server', provider: server, model: 'm' }],
	['the chosen model', olderChosen, both, [server], weights, { kind: 'on-device', model: older }],
	['the newest model, where nothing was chosen', undefined, both, [server], weights, { kind: 'on-device', model: newer }],
	['the newest model, where the chosen one is gone', goneChosen, both, [], weights, { kind: 'on-device', model: newer }],
	['the newest model, where the chosen server is gone', serverChosen, both, [], weights, { kind: 'on-device', model: newer }],
	['the weights at hand, where there is no model', undefined, [], [server], weights, { kind: 'default-weights', weights }],
	['the weights at hand, where the chosen model is gone', goneChosen, [], [server], weights, { kind: 'default-weights', weights }],
	['nothing, not a server that was not chosen', undefined, [], [server], undefined, { kind: 'none' }],
	['nothing, where the chosen server is gone and all else too', serverChosen, [], [], undefined, { kind: 'none' }]
] as const)('answers come from %s', (_, chosen, models, providers, weights, source) => {
	expect(resolveAnswerSource(chosen, [...models], [...providers], weights)).toEqual(source);
});
