import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRegistry } from '../../../../tests/fixtures/providers';
import type { Provider } from '../../storage/tables/providers';
import { connectServer, type ConnectPorts } from './connect-server';

/** Ports over what is kept in memory; `asked` are the keys that the server was asked with. */
function memoryPorts(): { ports: ConnectPorts; kept: Map<string, Provider>; keys: Map<string, string>; lists: Map<string, string[]>; asked: (string | undefined)[] } {
	const [kept, keys, lists] = [new Map<string, Provider>(), new Map<string, string>(), new Map<string, string[]>()];
	const asked: (string | undefined)[] = [];
	const listModels = async (server: { apiKey?: string }) => {
		asked.push(server.apiKey);
		return { models: ['a', 'b'] };
	};
	const providers = {
		list: async () => [...kept.values()],
		keyOf: async (id: string) => keys.get(id),
		put: async (provider: Provider, key?: string) => {
			kept.set(provider.id, provider);
			if (key) keys.set(provider.id, key);
		}
	};
	const registry = { get: async () => ({ listModels }) } as unknown as ConnectPorts['registry'];
	return { ports: { providers, lists: { put: async ({ providerId, models }) => void lists.set(providerId, models) }, registry, newId: () => `id-${kept.size}`, clock: () => 1 }, kept, keys, lists, asked };
}

const baseUrl = 'http://localhost:9999/v1';

test('a key is sent and kept without the blanks at its ends, and used again where none is given', async () => {
	const { ports, kept, keys, lists, asked } = memoryPorts();
	const { provider } = await connectServer({ baseUrl, apiKey: ' sk-1 \n' }, ports);
	await connectServer({ baseUrl }, ports);
	expect(asked).toEqual(['sk-1', 'sk-1']);
	expect([...keys]).toEqual([[provider.id, 'sk-1']]);
	expect(kept.size).toBe(1);
	expect([...lists]).toEqual([[provider.id, ['a', 'b']]]);
});

test('a key that no header can hold is refused before the server is asked', async () => {
	const unsendable = fc.string({ unit: 'binary', minLength: 1 }).filter((key) => /[^\t\x20-\x7e\x80-\xff]/.test(key.trim()));
	const keyed = fc.oneof(fc.constantFrom('sk-1\nsk-2', 'sk–1', 'schlüssel🔑'), unsendable);
	await fc.assert(
		fc.asyncProperty(keyed, async (apiKey) => {
			const { ports, kept, asked } = memoryPorts();
			await expect(connectServer({ baseUrl, apiKey }, ports)).rejects.toMatchObject({ name: 'AppError', code: 'key-unfit' });
			expect([kept.size, asked]).toEqual([0, []]);
		})
	);
});

test('a service is added by its protocol and a key, under its own name; another key for it is taken by its address alone', async () => {
	const { ports, kept, keys, asked } = memoryPorts();
	const registry = openRegistry({ egress: { fetch: async (_, init) => {
		asked.push(new Headers(init?.headers).get('x-api-key') ?? undefined);
		return new Response('{"data":[]}');
	} } });
	const { provider } = await connectServer({ protocol: 'anthropic', apiKey: 'key-1' }, { ...ports, registry });
	expect(provider).toMatchObject({ name: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1', protocol: 'anthropic' });
	await connectServer({ baseUrl: provider.baseUrl, apiKey: 'key-2' }, { ...ports, registry });
	expect(asked).toEqual(['key-1', 'key-2']);
	expect([...keys]).toEqual([[provider.id, 'key-2']]);
	expect([...kept.values()]).toEqual([provider]);
	// What speaks as it does elsewhere has not its name.
	const { provider: gateway } = await connectServer({ protocol: 'anthropic', baseUrl: 'https://gateway.example/v1', apiKey: 'key-3' }, { ...ports, registry });
	expect(gateway.name).toBe('gateway.example');
	// Without an address, one that has none of its own is refused in a sentence.
	await expect(connectServer({ apiKey: 'key-1' }, { ...ports, registry })).rejects.toMatchObject({ name: 'AppError', code: 'server-address' });
});
