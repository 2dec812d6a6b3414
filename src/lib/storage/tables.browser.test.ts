import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import { databaseVersion } from './database';
import { definitions } from './definitions';

/** The first field of a key or an index. */
function firstOf(key: string | readonly string[]): string {
	return typeof key === 'string' ? key.replace(/^\[|[+].*/g, '') : key[0]!;
}

describe('the list of tables', () => {
	it('makes the database that users have', () => {
		const db = openDatabase();
		const stores = Object.fromEntries(db.tables.map(({ name, schema }) => [name, [schema.primKey, ...schema.indexes].map(({ src }) => src).join(', ')]));
		expect(databaseVersion).toBe(15);
		expect(stores).toEqual({
			sessions: 'id, key, updatedAt, [pinned+updatedAt], [archived+pinned+updatedAt], [workspace+archived+pinned+updatedAt], [surface+archived+pinned+updatedAt], [workspace+surface+archived+pinned+updatedAt]',
			messages: '[sessionId+depth+id], &id, [sessionId+role+id]',
			trees: 'sessionId',
			positions: 'sessionId',
			drafts: 'sessionId',
			answers: 'sessionId',
			scratchpad: '[sessionId+name]',
			boundaries: 'id, [sessionId+depth]',
			sessionSettings: 'sessionId',
			checkpoints: 'sessionId',
			folders: 'sessionId',
			fileChanges: 'id, sessionId',
			modelLists: 'providerId',
			toolServers: 'id',
			contexts: 'sessionId',
			calibrations: 'model',
			attachments: 'id',
			attachmentUses: '[attachmentId+messageId], sessionId, messageId',
			trash: 'id, purgeAt, sessionId',
			quarantine: 'id',
			settings: 'name',
			providers: 'id',
			presets: 'name',
			secrets: 'id',
			models: 'id',
			changes: '++seq',
			changeCursors: 'reader',
			deletions: 'id, sessionId',
			secondAnswers: 'sessionId',
			segments: '[segment+kind+number]',
			searchState: 'name'
		});
	});

	it.each([...definitions])('says of %s what agrees', (name, { schema, key, indexes, scope, sessionIndex, isSearchable, purge, secrets, backup }) => {
		const ofSession = name === 'sessions' ? 'id' : 'sessionId';
		if (scope === 'session') expect(purge).toBeDefined();
		if (purge !== undefined) expect(firstOf(sessionIndex ?? key)).toBe(ofSession);
		if (sessionIndex !== undefined) expect(Object.values(indexes).at(-1)!.split(', ')).toContain(sessionIndex);
		// The log knows a session by the beginning of keys, and a file must not name another's row.
		if (isSearchable || backup === 'keep-own') expect(firstOf(key)).toBe(ofSession);
		if (scope === 'derived') expect([schema, backup]).toEqual([undefined, undefined]);
		if (secrets === 'never') expect([schema, backup]).toEqual([undefined, undefined]);
		if (backup !== undefined && backup !== 'former') expect(purge !== undefined || scope === 'shared').toBe(true);
	});
});
