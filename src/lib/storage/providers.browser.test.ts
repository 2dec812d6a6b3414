import { expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Providers, type Provider } from './providers';

it('keeps servers, oldest first, one row an id', async () => {
	const providers = new Providers(openDatabase());
	const server = (id: string, createdAt: number): Provider => ({ id, name: id, baseUrl: `http://${id}/v1`, createdAt });
	// By id they come the other way round.
	await providers.put(server('a', 2));
	await providers.put(server('b', 1));
	await providers.put({ ...server('a', 2), apiKey: 'key' });
	expect(await providers.list()).toEqual([server('b', 1), { ...server('a', 2), apiKey: 'key' }]);
	expect(await providers.get('b')).toEqual(server('b', 1));
	await providers.remove('b');
	await providers.remove('b');
	expect(await providers.get('b')).toBeUndefined();
});
