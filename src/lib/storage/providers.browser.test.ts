import { expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { Providers } from './providers';
import { faultOf } from './row-checks';
import { defaultProtocol, protocolOf, type Provider } from './tables/providers';

it('keeps servers, oldest first, one row an id', async () => {
	const providers = new Providers(openDatabase());
	const server = (id: string, createdAt: number): Provider => ({ id, name: id, baseUrl: `http://${id}/v1`, createdAt });
	// By id they come the other way round.
	await providers.put(server('a', 2));
	await providers.put(server('b', 1));
	await providers.put(server('a', 2));
	expect(await providers.list()).toEqual([server('b', 1), server('a', 2)]);
	expect(await providers.get('b')).toEqual(server('b', 1));
	await providers.remove('b', 5);
	await providers.remove('b', 5);
	expect(await providers.get('b')).toBeUndefined();
});

it('speaks the default protocol where a row names none, and holds only what can be the name of one', async () => {
	const db = openDatabase();
	const providers = new Providers(db);
	const server = { id: 'a', name: 'a', baseUrl: 'http://a/v1', createdAt: 1 };
	await providers.put(server);
	await providers.put({ ...server, id: 'b', protocol: 'anthropic-2' });
	expect((await providers.list()).map(protocolOf)).toEqual([defaultProtocol, 'anthropic-2']);
	for (const protocol of ['', 'A', 'a_b', 'a'.repeat(41), 7]) expect(faultOf('providers', { ...server, protocol }), String(protocol)).toBeDefined();
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
	await providers.remove('a', 5);
	expect(await providers.keyOf('a')).toBeUndefined();
	expect(await db.secrets.count()).toBe(0);
});
