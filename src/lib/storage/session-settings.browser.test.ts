import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import { append } from './append';
import { unfenced } from './fence';
import { ModelLists } from './model-lists';
import { Providers } from './providers';
import { SessionSettings } from './session-settings';

const source = { kind: 'server', providerId: 'p', model: 'm' } as const;

it('[A11] a chat keeps its model, and none is kept of a chat that is not there', async () => {
	const db = openDatabase();
	const session = newSession();
	await append(db, { session, fence: unfenced, messages: [newMessage('user', 'Hello')] });
	const settings = new SessionSettings(db);
	expect(await settings.get(session.id)).toBeUndefined();
	await settings.setSourceUnfenced(session.id, source);
	await settings.setSourceUnfenced(session.id, { ...source, model: 'n' });
	expect(await settings.get(session.id)).toEqual({ sessionId: session.id, source: { ...source, model: 'n' } });
	await expect(settings.setSourceUnfenced('gone', source)).rejects.toMatchObject({ code: 'session-absent' });
	expect(await db.sessionSettings.count()).toBe(1);
});

it('the list of a server goes with it, and none is kept of one that is not there', async () => {
	const db = openDatabase();
	const [lists, providers] = [new ModelLists(db), new Providers(db)];
	await providers.put({ id: 'p', name: 'P', baseUrl: 'http://p.example/v1', createdAt: 1 });
	await lists.put('p', ['a', 'b'], 2);
	await lists.put('gone', ['a'], 2);
	expect([...(await lists.all())]).toEqual([['p', { providerId: 'p', models: ['a', 'b'], at: 2 }]]);
	await providers.remove('p', 3);
	expect(await db.modelLists.count()).toBe(0);
});
