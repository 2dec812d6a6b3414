import { describe, expect, it } from 'vitest';
import { newMessage, newSession, openDatabase } from '../../../tests/fixtures/database';
import type { ContextOverrides } from '../conversation/context-settings';
import { append } from './append';
import { Calibrations } from './calibrations';
import { Contexts } from './contexts';
import { fencingTokenOf, unfenced } from './fence';
import { faultOf } from './row-checks';
import { Settings } from './settings';
import { Trees } from './trees';

async function session() {
	const db = openDatabase();
	await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'Hello')] });
	return { db, contexts: new Contexts(db) };
}

describe('Contexts', () => {
	it('[S7] a message is pinned or excluded, never both; a row that says nothing goes', async () => {
		const { db, contexts } = await session();
		await contexts.pin('s', 'a', true, fencingTokenOf({ fence: 0 }));
		await contexts.pin('s', 'a', true, unfenced);
		await contexts.exclude('s', 'b', true, fencingTokenOf({ fence: 0 }));
		expect(await contexts.get('s')).toEqual({ sessionId: 's', pins: ['a'], excludes: ['b'], settings: {} });
		await contexts.exclude('s', 'a', true, unfenced);
		await contexts.pin('s', 'b', true, unfenced);
		expect(await contexts.get('s')).toMatchObject({ pins: ['b'], excludes: ['a'] });
		await contexts.exclude('s', 'b', false, unfenced);
		await contexts.pin('s', 'a', false, unfenced);
		expect(await contexts.get('s')).toMatchObject({ pins: ['b'], excludes: ['a'] });
		await contexts.setOverridesUnfenced('s', { minRecent: 3 });
		await contexts.pin('s', 'b', false, unfenced);
		await contexts.exclude('s', 'a', false, unfenced);
		expect(await contexts.get('s')).toEqual({ sessionId: 's', pins: [], excludes: [], settings: { minRecent: 3 } });
		await contexts.setOverridesUnfenced('s', { strategy: 'simple' });
		expect((await contexts.get('s'))!.settings).toEqual({ strategy: 'simple' });
		await contexts.setOverridesUnfenced('s', {});
		expect(await db.contexts.count()).toBe(0);
	});

	it('[A5] is refused behind the fence, and where there is no session', async () => {
		const { db, contexts } = await session();
		await new Trees(db).raiseFence('s');
		await expect(contexts.pin('s', 'a', true, fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		await expect(contexts.exclude('s', 'a', true, fencingTokenOf({ fence: 0 }))).rejects.toMatchObject({ code: 'taken-over' });
		await expect(contexts.pin('none', 'a', true, unfenced)).rejects.toMatchObject({ code: 'session-absent' });
		expect(await db.contexts.count()).toBe(0);
	});
});

describe('what is stored of the context', () => {
	const faultOfSettings = (settings: unknown) => faultOf('contexts', { sessionId: 's', pins: [], excludes: [], settings });

	it('[R6] settings are within their limits, in every scope', async () => {
		const all: ContextOverrides = { contextMessages: 2, contextWindows: { m: 256 }, autoCompact: false, compactAtShare: 0.1, strategy: 'summary' };
		expect(faultOfSettings({})).toBeUndefined();
		expect(faultOfSettings(all)).toBeUndefined();
		for (const wrong of [{ contextMessages: 1 }, { minRecent: NaN }, { contextWindows: { m: 255 } }, { compactAtShare: 2 }, { strategy: 'magic' }, { cheapBytes: undefined }]) {
			expect(faultOfSettings(wrong)).toMatch(/^(Its|The) field “settings\./);
		}
		const { db } = await session();
		const settings = new Settings(db);
		await settings.set('context', all);
		await settings.set('contextByPersona', { chef: { minRecent: 9 } });
		await settings.set('showTokens', true);
		expect([await settings.get('context'), await settings.get('contextByPersona'), await settings.get('showTokens')]).toEqual([all, { chef: { minRecent: 9 } }, true]);
		await expect(settings.set('contextByPersona', { chef: { minRecent: 0 } })).rejects.toThrow('A row for settings does not fit');
		expect(await settings.get('contextByPersona')).toEqual({ chef: { minRecent: 9 } });
		expect(await db.quarantine.count()).toBe(0);
	});

	it('of a model the last twenty samples are kept, and the window that its server named', async () => {
		const calibrations = new Calibrations(openDatabase());
		for (let at = 0; at < 25; at++) await calibrations.learn('m', { raw: 1, shown: 2, actual: 3, at });
		await calibrations.learnWindow('m', 4096);
		const row = (await calibrations.get('m'))!;
		expect(row).toMatchObject({ model: 'm', window: 4096 });
		expect(row.samples.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, index) => index + 5));
	});
});
