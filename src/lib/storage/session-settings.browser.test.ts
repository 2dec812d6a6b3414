import { expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { ModelParameters } from '../conversation/model-parameters';
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

it('[P3] a chat keeps parameters within their ranges beside its model, and no row where nothing is chosen', async () => {
	const db = openDatabase();
	const session = newSession();
	await append(db, { session, fence: unfenced, messages: [newMessage('user', 'Hello')] });
	const settings = new SessionSettings(db);
	await settings.setParametersUnfenced(session.id, { temperature: 0, stop: ['END'] });
	await settings.setParametersUnfenced(session.id, {});
	expect(await db.sessionSettings.count()).toBe(0);
	await settings.setSourceUnfenced(session.id, source);
	await settings.setParametersUnfenced(session.id, { seed: 7 });
	expect(await settings.get(session.id)).toEqual({ sessionId: session.id, source, parameters: { seed: 7 } });
	const bad: ModelParameters[] = [{ temperature: 2.1 }, { temperature: NaN }, { topP: -0.1 }, { maxTokens: 0 }, { maxTokens: 1.5 }, { seed: -1 }, { stop: [] }, { stop: [''] }, { stop: ['a'.repeat(101)] }, { stop: ['a', 'b', 'c', 'd', 'e'] }];
	for (const parameters of bad) await expect(settings.setParametersUnfenced(session.id, parameters), JSON.stringify(parameters)).rejects.toThrow('does not fit');
	await expect(settings.setParametersUnfenced('gone', { seed: 7 })).rejects.toMatchObject({ code: 'session-absent' });
});

it('[P3] parameters that two tabs change at once are all kept', async () => {
	const db = openDatabase();
	const session = newSession();
	await append(db, { session, fence: unfenced, messages: [newMessage('user', 'Hello')] });
	const settings = new SessionSettings(db);
	await settings.setParametersUnfenced(session.id, { seed: 7 });
	await Promise.all([{ temperature: 0 }, { topP: 1 }, { seed: undefined }].map((changes) => settings.changeParametersUnfenced(session.id, changes)));
	expect(await settings.get(session.id)).toEqual({ sessionId: session.id, parameters: { temperature: 0, topP: 1 } });
	await settings.changeParametersUnfenced(session.id, { temperature: undefined, topP: undefined });
	expect(await db.sessionSettings.count()).toBe(0);
});

it('the list of a server goes with it, and none is kept of one that is not there', async () => {
	const db = openDatabase();
	const [lists, providers] = [new ModelLists(db), new Providers(db)];
	await providers.put({ id: 'p', name: 'P', baseUrl: 'http://p.example/v1', createdAt: 1 });
	await lists.put({ providerId: 'p', models: ['a', 'b'], at: 2 });
	await lists.put({ providerId: 'gone', models: ['a'], at: 2 });
	expect([...(await lists.all())]).toEqual([['p', { providerId: 'p', models: ['a', 'b'], at: 2 }]]);
	await providers.remove('p', 3);
	expect(await db.modelLists.count()).toBe(0);
});
