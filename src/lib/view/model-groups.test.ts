import { describe, expect, it } from 'vitest';
import { atServer, onThisDevice } from '../engine/providers/answer-source';
import { formatBytes } from '../shared/bytes';
import type { LocalModel } from '../storage/tables/models';
import type { Provider } from '../storage/tables/providers';
import { matchingModels, modelGroups, type ModelRows } from './model-groups';

const local: LocalModel = { id: 'l', name: 'Tiny', bytes: 1000, sha256: 'l', architecture: 'llama', contextLength: 2048, hasChatTemplate: true, createdAt: 1 };
const server = (id: string): Provider => ({ id, name: id, baseUrl: `http://${id}.example/v1`, createdAt: 1 });
const rows = (changes: Partial<ModelRows> = {}): ModelRows => ({
	models: [local],
	servers: [server('one'), server('two')],
	lists: new Map([['one', { providerId: 'one', models: ['alpha', 'beta'], at: 1 }]]),
	sessions: [],
	current: undefined,
	isBrowserModelReady: false,
	...changes
});
const shown = (groups: ReturnType<typeof modelGroups>) => groups.map(({ label, options }) => [label, options.map(({ name }) => name)]);

describe('modelGroups', () => {
	it('[P3] names all models by their source, and a server whose models are not known', () => {
		const groups = modelGroups(rows());
		expect(shown(groups)).toEqual([
			['On this device', ['Tiny']],
			['one (one.example)', ['alpha', 'beta']],
			['two (two.example)', []]
		]);
		expect(groups.map(({ isListed }) => isListed)).toEqual([undefined, true, false]);
	});

	it('[P3] begins with those that were used last, each once, if they are still there', () => {
		const used = [['one', 'beta'], ['on-device', 'Tiny'], ['one', 'beta'], ['gone', 'x'], ['one', 'gone'], ['two', 'any']];
		const sessions = used.map(([provider, model]) => ({ provider: provider!, model: model! }));
		expect(shown(modelGroups(rows({ sessions })))[0]).toEqual(['Recent', ['beta', 'Tiny', 'any']]);
		const many = Array.from({ length: 20 }, (_, at) => ({ provider: 'two', model: `m${at}` }));
		expect(shown(modelGroups(rows({ sessions: many })))[0]![1]).toHaveLength(5);
	});

	it('[P3] says of a model on this device how much it reads here, not what its file says', () => {
		const large = modelGroups(rows({ models: [{ ...local, contextLength: 131_072 }] }));
		expect(large[0]!.options[0]!.detail).toBe(`${formatBytes(1000)} · up to 8,192 tokens`);
	});

	it('[P3] names the place of a recent one where there are several', () => {
		const detail = (changes: Partial<ModelRows>) => modelGroups(rows({ sessions: [{ provider: 'one', model: 'beta' }], ...changes }))[0]!.options[0]!.detail;
		expect(detail({})).toBe('one (one.example)');
		expect(detail({ models: [] })).toBe('one (one.example)');
		expect(detail({ models: [], servers: [server('one')] })).toBe('');
		expect(detail({ models: [], servers: [server('one')], isBrowserModelReady: true })).toBe('one (one.example)');
	});

	it('[P8] lists a model under any name that its server gives it', () => {
		const names = ['constructor', '__proto__', 'toString', 'beta'];
		const lists = new Map([['one', { providerId: 'one', models: names, traits: { beta: '2048 tools' }, at: 1 }]]);
		const group = modelGroups(rows({ lists })).find(({ label }) => label.startsWith('one'))!;
		expect(group.options.map(({ name, detail }) => [name, detail])).toEqual([...names.slice(0, 3).map((name) => [name, '']), ['beta', 'up to 2,048 tokens · tools']]);
	});

	it('marks the one that answers now', () => {
		const current = (of: ModelRows['current']) => modelGroups(rows({ current: of })).flatMap(({ options }) => options.flatMap((option) => (option.current ? [option.name] : [])));
		expect(current(atServer(server('one'), 'beta'))).toEqual(['beta']);
		expect(current(onThisDevice({ local }))).toEqual(['Tiny']);
		expect(current(undefined)).toEqual([]);
	});
});

describe('matchingModels', () => {
	it('[P3] finds a model by words of its name and its source, and each once', () => {
		const groups = modelGroups(rows({ sessions: [{ provider: 'one', model: 'beta' }] }));
		expect(matchingModels(groups, ' ')).toBe(groups);
		expect(shown(matchingModels(groups, 'BET one.ex'))).toEqual([['one (one.example)', ['beta']]]);
		expect(shown(matchingModels(groups, 'device'))).toEqual([['On this device', ['Tiny']]]);
		expect(matchingModels(groups, 'nothing')).toEqual([]);
	});
});
