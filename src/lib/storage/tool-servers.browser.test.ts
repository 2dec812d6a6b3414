import { expect, test } from 'vitest';
import { openDatabase } from '../../../tests/fixtures/database';
import type { ToolServer } from './tables/tool-servers';
import { ToolServers } from './tool-servers';

const server: ToolServer = { id: 'b', name: 'Orchard', url: 'http://localhost/mcp', createdAt: 2, tools: [{ name: 'pear', callName: 'mcp_orchard_pear_00000000', description: '', inputSchema: '{}' }] };

test('[R1] a tool server goes with its token; a row that is none is as if it were not there', async () => {
	const db = openDatabase();
	const servers = new ToolServers(db);
	await servers.put(server, { apiKey: 'token' });
	await servers.put({ ...server, id: 'a', createdAt: 1 });
	await db.toolServers.put({ ...server, id: 'broken', tools: 'none' } as unknown as ToolServer);
	expect((await servers.list()).map(({ id }) => id)).toEqual(['a', 'b']);
	expect([await servers.get('broken'), await servers.secretOf('b'), await servers.secretOf('a')]).toEqual([undefined, { id: 'b', apiKey: 'token' }, undefined]);
	await servers.change('b', (row) => ({ ...row, name: 'Garden' }));
	await servers.change('gone', (row) => row);
	expect(await servers.get('b')).toEqual({ ...server, name: 'Garden' });
	await servers.remove('b');
	expect([await servers.get('b'), await servers.secretOf('b'), await db.toolServers.get('gone')]).toEqual([undefined, undefined, undefined]);
});
