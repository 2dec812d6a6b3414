import { expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Providers } from './providers';
import type { Provider } from './tables/providers';

it('keeps servers, oldest first, one row an id', async () => {
	const providers = new Providers(openDatabase());
	const server = (id: string, createdAt: number): Provider => ({ id, name: id, baseUrl: `http://${id}/v1`, createdAt });
	// By id they come the other way round.
	await providers.put(server('a', 2));
	await providers.put(server('b', 1));
	await providers.put(server('a', 2));
	expect(await providers.list()).toEqual([server('b', 1), server('a', 2)]);
	expect(await providers.get('b')).toEqual(server('b', 1));
	await providers.remove('b');
	await providers.remove('b');
	expect(await providers.get('b')).toBeUndefined();
});

it('[P8] keeps the key of a server apart from its row, until the server goes', async () => {
	const db = openDatabase();
	const providers = new Providers(db);
	const server = { id: 'a', name: 'a', baseUrl: 'http://a/v1', createdAt: 1 };
	await providers.put(server, 'sk-one');
	await providers.put({ ...server, name: 'renamed' });
	expect(await db.providers.toArray()).toEqual([{ ...server, name: 'renamed' }]);
	expect(await providers.keyOf('a')).toBe('sk-one');
	await providers.put(server, 'sk-two');
	expect(await providers.keyOf('a')).toBe('sk-two');
	await providers.remove('a');
	expect(await providers.keyOf('a')).toBeUndefined();
	expect(await db.secrets.count()).toBe(0);
});
