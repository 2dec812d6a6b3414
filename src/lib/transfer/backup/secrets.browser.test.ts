import { describe, expect, it, onTestFinished } from 'vitest';
import { newMessage, newSession } from '../../../../tests/fixtures/database';
import version1 from '../../../../tests/fixtures/database-v1.json';
import version2 from '../../../../tests/fixtures/database-v2.json';
import version3 from '../../../../tests/fixtures/database-v3.json';
import { newId } from '../../shared/id';
import { append } from '../../storage/append';
import { Database } from '../../storage/database';
import { examine, quarantineLines, rawData } from '../../storage/examine';
import { Messages } from '../../storage/messages';
import { Providers } from '../../storage/providers';
import { openAsItIs } from '../../storage/raw-database';
import { settled } from '../../storage/raw-rows';
import { Sessions } from '../../storage/sessions';
import { quarantineUnfenced } from '../../storage/quarantine';
import { Snapshots } from '../../storage/snapshots';
import { markdown } from '../exports/markdown';
import { createBackup } from './create';

const key = 'sk-canary-4711';

/** Rows of servers that hold the key wherever a key can be, whole and broken. */
const servers = [
	{ id: 'a', name: 'A', baseUrl: 'https://a.example/v1', apiKey: key, createdAt: 1 },
	{ id: 'b', name: 'B', baseUrl: `https://user:${key}@b.example/v1?key=${key}#${key}`, apiKey: key, token: { deep: [key] }, createdAt: 1 },
	{ id: 'c', name: 'C', baseUrl: 'https://c.example/v1', apiKey: [key], createdAt: key },
	{ id: 'd', name: { first: key }, baseUrl: [key], createdAt: 1 },
	{ id: 'e', name: 'E', baseUrl: `no address ${key}`, createdAt: 1 }
];

/** Rows of it in quarantine, also by versions that kept them whole, and others that call themselves so. */
const quarantined = [
	...servers.map((row) => ({ id: `q${row.id}`, table: 'providers', key: row.id, row, reason: `Its field is "${key}".`, at: 1 })),
	{ id: 'text', table: 'providers', key: 1, row: key, reason: '', at: 1 },
	{ id: 'secret', table: 'secrets', key: 'a', row: { id: 'a', apiKey: key }, reason: key, at: 1 },
	{ id: 'twice', table: 'quarantine', key: 1, row: { table: 'providers', row: servers[0], reason: key }, reason: '', at: 1 }
];

const textOf = async (file: Blob) => {
	const [first] = new Uint8Array(await file.slice(0, 1).arrayBuffer());
	return new Response(first === 0x1f ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file).text();
};

async function newRoot(): Promise<() => Promise<FileSystemDirectoryHandle>> {
	const top = await navigator.storage.getDirectory();
	const name = `test ${newId()}`;
	const root = await top.getDirectoryHandle(name, { create: true });
	onTestFinished(() => top.removeEntry(name, { recursive: true }));
	return () => Promise.resolve(root);
}

/** A database as an older version made it, with keys in it. */
async function older({ nativeVersion, stores }: typeof version1 | typeof version2 | typeof version3, version: number): Promise<string> {
	const name = `test ${newId()}`;
	const request = indexedDB.open(name, Math.max(nativeVersion, version * 10));
	request.onupgradeneeded = () => {
		const put = (table: string, rows: unknown[]) => rows.forEach((row) => request.transaction!.objectStore(table).put(row));
		for (const [table, { keyPath, indexes }] of Object.entries(stores)) {
			const store = request.result.createObjectStore(table, { keyPath });
			for (const { name, keyPath, unique, multiEntry } of indexes) store.createIndex(name, keyPath, { unique, multiEntry });
		}
		if (version >= 4) {
			request.result.createObjectStore('changes', { keyPath: 'seq', autoIncrement: true });
			request.result.createObjectStore('segments', { keyPath: ['segment', 'kind', 'number'] });
			request.result.createObjectStore('searchState', { keyPath: 'name' });
		}
		put('providers', servers);
		if (request.result.objectStoreNames.contains('quarantine')) put('quarantine', quarantined);
	};
	(await settled(request)).close();
	onTestFinished(() => void indexedDB.deleteDatabase(name));
	return name;
}

describe('[P8] no file has an API key in it', () => {
	it.each([
		[1, version1],
		[2, version2],
		[3, version3],
		[4, version3]
	] as const)('that is written before, while and after version %i is migrated', async (version, made) => {
		const name = await older(made, version);
		const root = await newRoot();
		const raw = (await openAsItIs(indexedDB, name))!;
		expect(await textOf(await rawData(raw))).not.toContain(key);
		raw.close();

		const db = new Database(name, root);
		onTestFinished(() => db.close());
		await db.open();
		expect(await new Providers(db).keyOf('a')).toBe(key);
		const snapshot = `v${version}.jsonl.gz`;
		const stored = await (await (await (await root()).getDirectoryHandle('snapshots')).getFileHandle(snapshot)).getFile();
		expect(await textOf(stored)).not.toContain(key);
		expect(await textOf(stored)).toContain('https://a.example/v1');
		await db.providers.toArray();
		for (const { id } of servers) await quarantineUnfenced(db, { table: 'providers', key: id });
		const looked = (await openAsItIs(indexedDB, name))!;
		const { invalidRows, quarantined } = await examine(looked);
		expect(JSON.stringify(invalidRows)).not.toContain(key);
		expect(await textOf(await quarantineLines(quarantined))).not.toContain(key);
		expect(await textOf(await rawData(looked))).not.toContain(key);
		looked.close();
		expect(JSON.stringify(await db.quarantine.toArray())).not.toContain(key);
		expect(await textOf((await createBackup(db, { now: 1 })).file)).not.toContain(key);
	});

	it('nor does a copy give one away that an older version left in it', async () => {
		const root = await newRoot();
		const folder = await (await root()).getDirectoryHandle('snapshots', { create: true });
		const rows = [
			{ table: 'messages', row: { id: 'm', text: 'x'.repeat(300_000) } },
			...servers.map((row) => ({ table: 'providers', row })),
			...quarantined.map((row) => ({ table: 'quarantine', row })),
			{ table: 'secrets', row: { id: 'a', apiKey: key } }
		];
		const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
		const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
		await packed.pipeTo(await (await folder.getFileHandle('v3.jsonl.gz', { create: true })).createWritable());
		const given = await textOf(await new Snapshots(root).file('v3.jsonl.gz'));
		expect(given).not.toContain(key);
		expect(given.split('\n')[0]).toBe(JSON.stringify(rows[0]));
		expect(given).toContain('https://a.example/v1');
	});

	it('with a key in every field of its own table, and broken rows of servers elsewhere', async () => {
		const db = new Database(`test ${newId()}`, await newRoot());
		onTestFinished(() => db.delete());
		await append(db, { session: newSession({ id: 's' }), messages: [newMessage('user', 'question'), newMessage('assistant', 'answer')] });
		await new Providers(db).put({ id: 'a', name: 'A', baseUrl: 'https://a.example/v1', createdAt: 1 }, key);
		await db.quarantine.bulkPut(quarantined);
		const raw = (await openAsItIs(indexedDB, db.name))!;
		const transaction = raw.transaction(['providers', 'secrets'], 'readwrite');
		for (const row of servers.slice(1)) transaction.objectStore('providers').put(row);
		for (const row of servers) transaction.objectStore('secrets').put({ ...row, id: `${row.id} ${key}`, more: { deep: [key] } });
		transaction.objectStore('secrets').put({ id: 't', apiKey: key, signIn: { issuer: key, tokenUrl: key, clientId: key, clientSecret: key, clientMethod: 'none', refreshToken: key } });
		await new Promise((resolve) => (transaction.oncomplete = resolve));
		const session = (await new Sessions(db).get('s'))!;
		const messages = await new Messages(db).all('s');
		expect([...markdown.write({ session, messages, headId: messages.at(-1)!.id, labels: new Map(), notes: [] })].join('')).not.toContain(key);
		expect(await textOf((await createBackup(db, { now: 1 })).file)).not.toContain(key);
		expect(await textOf(await rawData(raw))).not.toContain(key);
		expect(JSON.stringify(await examine(raw).then(({ invalidRows }) => invalidRows))).not.toContain(key);
		raw.close();
	});
});
