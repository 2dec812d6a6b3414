import { expect, it } from 'vitest';
import type { LocalModel } from '../../storage/tables/models';
import type { Provider } from '../../storage/tables/providers';
import type { Source } from '../../storage/tables/source';
import { atServer, onThisDevice, resolveAnswerSource, resolveChatSource } from './answer-source';
import { sourceOf } from './source-row';

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
const [older, newer] = [model('older', 1), model('newer', 2)] as const;
const server: Provider = { id: 'server', name: 'Server', baseUrl: 'http://localhost/v1', createdAt: 1 };
const weights = { name: 'Default', bytes: 1, url: 'http://localhost/w.gguf' };
const both = [older, newer];

const olderChosen: Source = { kind: 'on-device', modelId: 'older' };
const goneChosen: Source = { kind: 'on-device', modelId: 'gone' };
const serverChosen: Source = { kind: 'server', providerId: 'server', model: 'm' };

it.each([
	['the chosen server', serverChosen, both, [server], weights, atServer(server, 'm')],
	['the chosen model', olderChosen, both, [server], weights, onThisDevice({ local: older })],
	['the newest model, where nothing was chosen', undefined, both, [server], weights, onThisDevice({ local: newer })],
	['the newest model, where the chosen one is gone', goneChosen, both, [], weights, onThisDevice({ local: newer })],
	['the newest model, where the chosen server is gone', serverChosen, both, [], weights, onThisDevice({ local: newer })],
	['the weights at hand, where there is no model', undefined, [], [server], weights, onThisDevice({ weights })],
	['the weights at hand, where the chosen model is gone', goneChosen, [], [server], weights, onThisDevice({ weights })],
	['nothing, not a server that was not chosen', undefined, [], [server], undefined, undefined],
	['nothing, where the chosen server is gone and all else too', serverChosen, [], [], undefined, undefined]
] as const)('answers come from %s', (_, chosen, models, providers, weights, source) => {
	expect(resolveAnswerSource(chosen, [...models], [...providers], weights)).toEqual(source);
});

const otherServer: Provider = { ...server, id: 'other' };
const otherChosen: Source = { kind: 'server', providerId: 'other', model: 'o' };

it.each([
	['its own model', olderChosen, serverChosen, both, [server], onThisDevice({ local: older })],
	['the model of new chats, where it has none', undefined, serverChosen, both, [server], atServer(server, 'm')],
	['its own server', otherChosen, serverChosen, both, [server, otherServer], atServer(otherServer, 'o')],
	['the model of new chats, where its server is gone', otherChosen, serverChosen, both, [server], atServer(server, 'm')],
	['another model on this device, where its own is gone', goneChosen, olderChosen, both, [server], onThisDevice({ local: older })],
	['nothing, where its model on this device is gone and only a server would answer', goneChosen, serverChosen, both, [server], undefined]
] as const)('[A11] answers in a chat come from %s', (_, own, chosen, models, servers, expected) => {
	expect(resolveChatSource(own, { chosen, models: [...models], servers: [...servers], weights: undefined })).toEqual(expected);
});

it('names a source as rows do', () => {
	expect(sourceOf(atServer(server, 'm'))).toEqual(serverChosen);
	expect(sourceOf(onThisDevice({ local: older }))).toEqual(olderChosen);
	expect(sourceOf(onThisDevice({ weights }))).toBeUndefined();
});

it('describes each source alike', () => {
	expect(atServer({ ...server, protocol: 'other' }, 'm')).toMatchObject({
		protocol: 'other',
		key: 'server/m',
		model: 'm',
		provider: 'Server',
		label: 'Server (localhost)',
		leavesDevice: true
	});
	expect(atServer(server, 'm').protocol).toBe('openai-compatible');
	for (const here of [onThisDevice({ local: { ...older, name: 'Default' } }), onThisDevice({ weights })]) {
		expect(here).toMatchObject({ protocol: 'on-device', key: 'on-device/Default', model: 'Default', provider: 'on-device', label: 'this device', leavesDevice: false });
	}
});
